@_exported public import Foundation
@_exported public import LayeredPrefs
#if OpenCombine
    @_exported public import OpenCombine
#else
    /// The result of `$property.sink { … }`, under its name in Combine.
    public typealias AnyCancellable = PrefsObservation
#endif
