import LayeredPrefs

/// A duration or a byte count in the form in which it is stored, so that `set` writes what the user wrote.
struct Quantity<Unit: QuantityUnit>: PrefsStorageValue {
    let prefsValue: PrefsValue

    init?(prefsValue: PrefsValue) {
        guard Unit.amount(of: prefsValue) != nil else { return nil }
        self.prefsValue = prefsValue
    }

    static func storedForm(ofText text: String) -> PrefsValue? {
        let whole = Int128(text).map(PrefsValue.integer).flatMap(Self.init(prefsValue:))
        return (whole ?? Self(prefsValue: .string(text)))?.prefsValue
    }

    static var prefsExpectation: String { Unit.expectation }
}

/// The unit of a quantity, such as seconds or bytes.
protocol QuantityUnit: SendableMetatype {
    /// Returns a stored quantity as a number that can be compared; `nil` if it is not valid.
    static func amount(of stored: PrefsValue) -> Int128?

    static var expectation: String { get }
}

enum DurationText: QuantityUnit {
    static func amount(of stored: PrefsValue) -> Int128? {
        DurationPrefsCoding().decode(stored)?.attoseconds
    }

    static var expectation: String { DurationPrefsCoding().expectation }
}

extension PrefsByteCount: QuantityUnit {
    static func amount(of stored: PrefsValue) -> Int128? {
        PrefsByteCount(prefsValue: stored).map { Int128($0.bytes) }
    }

    static var expectation: String { prefsExpectation }
}
