// The C library under one name, with the calls that its module lacks. All files of PrefsSystem see both modules,
// and so does every file that imports PrefsSystem. A type such as `mode_t` is in both modules, and the compiler
// takes it from the module that it happens to load first. So both imports need the same access level. Musl is
// the C library of the static Linux SDK.
@_exported public import CPrefsSystem

#if canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif
