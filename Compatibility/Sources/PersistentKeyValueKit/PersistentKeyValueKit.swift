@_exported public import Foundation
@_exported public import LayeredPrefs

public typealias PersistentKeyValueRepresentation = PrefsValueCoding
public typealias OptionalPersistentKeyValueRepresentation = OptionalPrefsCoding

extension PrefsValueCoding {
    public var optionalRepresentation: OptionalPrefsCoding<Self> { optionalPrefsCoding }
}

extension PersistentKeyProtocol {
    public var representation: any PrefsValueCoding<Value> { coding }
}

extension PersistentKey {
    public init(_ id: String, defaultValue: Value, representation: some PrefsValueCoding<Value>) {
        self.init(id, defaultValue: defaultValue, coding: representation)
    }

    public init<Wrapped>(
        _ id: String, defaultValue: Value = nil, representation: some PrefsValueCoding<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, coding: representation)
    }
}

extension PersistentDebugKey {
    public init(
        _ id: String, debugDefaultValue: Value, releaseDefaultValue: Value,
        representation: some PrefsValueCoding<Value>
    ) {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: representation)
    }

    public init(_ id: String, defaultValue: Value, representation: some PrefsValueCoding<Value>) {
        self.init(id, defaultValue: defaultValue, coding: representation)
    }
}
