/// The flag that opens a file of any kind for its status only, without any effect on the file.
package var openForStatus: CInt { ps_open_for_status }

extension Descriptor {
    /// Opens the same file again, with close-on-exec set. Throws `ENOENT` if `/proc` is not mounted.
    package func reopened(_ flags: CInt) throws(Errno) -> Descriptor {
        let number = ps_reopen(number, flags)
        guard number >= 0 else { throw .last }
        return Descriptor(number)
    }
}
