@_exported public import Foundation
@_exported public import LayeredPrefs
@_exported public import LayeredPrefsUserDefaults
#if OpenCombine
    @_exported public import OpenCombine
#endif
