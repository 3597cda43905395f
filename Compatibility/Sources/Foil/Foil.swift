@_exported public import Foundation
@_exported public import LayeredPrefs

/// What `$property.sink { … }` returns, under the name it has in Combine.
public typealias AnyCancellable = PersistentKeyObservation
