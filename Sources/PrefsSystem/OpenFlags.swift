#if os(Linux)
    import CPrefsSystem
#endif

/// The flag that opens a file of any kind for its status only, without any effect on it; 0 where there is none.
package var openForStatus: CInt {
    #if os(Linux)
        ps_open_for_status
    #else
        0
    #endif
}

#if os(Linux)
    extension Descriptor {
        /// Opens the same file again, with close-on-exec set; the error is ENOENT if `/proc` is not mounted.
        package func reopened(_ flags: CInt) throws(Errno) -> Descriptor {
            let number = ps_reopen(number, flags)
            guard number >= 0 else { throw .last }
            return Descriptor(number)
        }
    }
#endif

/// Opens a path none of whose components is a link; returns `nil` if one is, or if the system cannot check it.
func openWithoutLinks(_ path: RawPath, _ flags: CInt) -> CInt? {
    #if os(Linux)
        let number = unsafe path.withCString { unsafe ps_open_without_links($0, flags) }
        return number < 0 ? nil : number
    #else
        return nil
    #endif
}
