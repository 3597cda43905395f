@_exported public import Foundation
@_exported public import LayeredPrefs
#if OpenCombine
    @_exported public import OpenCombine
#endif
