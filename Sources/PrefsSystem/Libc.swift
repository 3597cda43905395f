// The C library under one name, with the calls that its module lacks: importing PrefsSystem imports both, and so does
// every file of PrefsSystem. A type such as `mode_t` is in both modules, and the compiler takes it to be of the one that
// it happens to load first, so the two need the same access level. Musl is the C library of the static Linux SDK.
@_exported public import CPrefsSystem

#if canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif
