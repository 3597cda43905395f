@_exported public import Foundation
@_exported public import LayeredPrefs

/// The result of `$property.sink { … }`, under its name in Combine.
public typealias AnyCancellable = PrefsObservation
