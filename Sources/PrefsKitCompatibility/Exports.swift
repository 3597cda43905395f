#if UserDefaults
    @_exported public import Foundation
#endif
@_exported public import LayeredPrefs
@_exported public import Observation
