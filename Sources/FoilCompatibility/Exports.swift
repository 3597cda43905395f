#if UserDefaults
    @_exported public import Foundation
#endif
@_exported public import LayeredPrefs

/// The result of `$property.sink { … }`, under its name in Combine.
public typealias AnyCancellable = PrefsObservation
