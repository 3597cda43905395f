// The C library under one name: importing PrefsSystem imports it, and so does every file of PrefsSystem.
#if canImport(Glibc)
    @_exported public import Glibc
#else
    @_exported public import Darwin
#endif
