import FoundationEssentials
import LayeredPrefs

extension PrefsStoredType {
    /// The library's own type for this, so that what the commands take and refuse is what a program does.
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
        case .array(let element): return array(element.storageType)
        case .dictionary(let value): return dictionary(value.storageType)
        case .any: return PrefsValue.self
        }
    }

    /// A stored value as a program of this type has it; `nil` where it is refused.
    func value(of stored: PrefsValue) -> PrefsValue? {
        func open<Value: PrefsStorageValue>(_: Value.Type) -> PrefsValue? {
            Value(prefsValue: stored)?.prefsValue
        }
        return open(storageType)
    }

    /// What a text of a command line or of the environment stands for.
    func value(ofText text: String) -> PrefsValue? {
        storageType.storedForm(ofText: text).flatMap(value(of:))
    }

    /// The type with its article, for messages.
    var expectation: String { storageType.prefsExpectation }
}

extension PrefsStoredType {
    /// The type of a value that is there.
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

    /// The type that a description such as `array of integer` names.
    init?(description: String) {
        for (prefix, make) in Self.collections where description.hasPrefix(prefix) {
            guard let element = Self(description: String(description.dropFirst(prefix.count))) else {
                return nil
            }
            self = make(element)
            return
        }
        let simple: [PrefsStoredType] = [.string, .bool, .integer, .real, .data, .date, .any]
        guard let type = simple.first(where: { $0.description == description }) else { return nil }
        self = type
    }

    private static var collections: [(String, (PrefsStoredType) -> PrefsStoredType)] {
        [("array of ", { .array(of: $0) }), ("dictionary of ", { .dictionary(of: $0) })]
    }
}
