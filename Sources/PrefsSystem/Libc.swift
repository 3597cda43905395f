// The C library under one name, with the calls that Glibc's module lacks: importing PrefsSystem imports both, and so
// does every file of PrefsSystem. A type such as `mode_t` is in both modules, and the compiler takes it to be of the one
// that it happens to load first, so the two need the same access level.
@_exported public import CPrefsSystem
@_exported public import Glibc
