import FoundationEssentials
import LayeredPrefs

extension PrefsStoredType {
    /// The library's own type for this stored type, so that the commands accept and reject what a program
    /// does.
    var storageType: any PrefsStorageValue.Type {
        func array<Element: PrefsStorageValue>(_: Element.Type) -> any PrefsStorageValue.Type {
            [Element].self
        }
        func dictionary<Value: PrefsStorageValue>(_: Value.Type) -> any PrefsStorageValue.Type {
            [String: Value].self
        }
        switch self {
        case .string: return String.self
        case .bool: return Bool.self
        case .integer: return Int.self
        case .real: return Double.self
        case .data: return Data.self
        case .date: return Date.self
        case .duration: return Quantity<DurationText>.self
        case .byteCount: return Quantity<PrefsByteCount>.self
        case .array(let element): return array(element.storageType)
        case .dictionary(let value): return dictionary(value.storageType)
        case .any: return PrefsValue.self
        }
    }

    /// Returns a stored value as a program reads it with this type; `nil` if the type rejects it.
    func value(of stored: PrefsValue) -> PrefsValue? {
        func open<Value: PrefsStorageValue>(_: Value.Type) -> PrefsValue? {
            Value(prefsValue: stored)?.prefsValue
        }
        return open(storageType)
    }

    /// Parses a text from the command line or the environment as this type.
    func value(ofText text: String) -> PrefsValue? {
        storageType.storedForm(ofText: text).flatMap(value(of:))
    }

    /// The type with its article, such as `an integer`, for messages.
    var expectation: String { storageType.prefsExpectation }
}

extension PrefsStoredType {
    /// Creates the type of an existing value.
    init(of value: PrefsValue) {
        switch value.kind {
        case .string: self = .string
        case .bool: self = .bool
        case .integer: self = .integer
        case .real: self = .real
        case .data: self = .data
        case .date: self = .date
        case .array: self = .array(of: .any)
        case .dictionary: self = .dictionary(of: .any)
        }
    }

    /// Creates the type from its description, such as `array of integer`.
    init?(description: String) {
        for (prefix, make) in Self.collections where description.hasPrefix(prefix) {
            guard let element = Self(description: String(description.dropFirst(prefix.count))) else {
                return nil
            }
            self = make(element)
            return
        }
        let simple: [PrefsStoredType] = [
            .string, .bool, .integer, .real, .data, .date, .duration, .byteCount, .any,
        ]
        guard let type = simple.first(where: { $0.description == description }) else { return nil }
        self = type
    }

    private static var collections: [(String, (PrefsStoredType) -> PrefsStoredType)] {
        [("array of ", { .array(of: $0) }), ("dictionary of ", { .dictionary(of: $0) })]
    }
}
