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
