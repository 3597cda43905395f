@_exported public import Foundation
@_exported public import LayeredPrefs
@_exported public import LayeredPrefsUserDefaults
#if OpenCombine
    @_exported public import OpenCombine
#else
    /// The result of `$property.sink { … }`. In Combine, it has the same name.
    public typealias AnyCancellable = PrefsObservation
#endif
