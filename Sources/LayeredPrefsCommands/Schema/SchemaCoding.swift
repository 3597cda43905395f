import FoundationEssentials
import LayeredPrefs
import LayeredPrefsInspection

/// The coding of a key that is declared by a schema file or by the program itself.
struct SchemaCoding: PrefsCoding {
    let type: PrefsStoredType
    /// The rules of the schema file. If they reject a value as a whole, the key's validation reports that.
    var rules: SchemaRules?
    /// True to accept values of another type here. The key's validation then asks the program whether it accepts
    /// them.
    var acceptsOthers = false

    func encode(_ value: PrefsValue) -> PrefsValue? { value }

    func decode(_ stored: PrefsValue) -> PrefsValue? {
        if let part = rules?.mismatch(of: stored), !part.path.isEmpty { return nil }
        return type.value(of: stored) ?? (acceptsOthers ? stored : nil)
    }

    func storedForm(ofText text: String) -> PrefsValue? {
        rules?.storedForm(ofText: text) ?? type.storedForm(ofText: text)
    }

    var expectation: String { type.expectation }

    func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        type.mismatch(of: stored) ?? rules?.mismatch(of: stored) ?? PrefsMismatch(expected: expectation)
    }

    var storedType: PrefsStoredType { type }
}

extension PrefsStoredType {
    /// Returns a text that is the same for two values if the type reads them as the same value.
    func comparable(_ value: PrefsValue) -> String { amounts(in: value).plainText }

    private func amounts(in value: PrefsValue) -> PrefsValue {
        if let parts = mappingParts(of: value, { $0.amounts(in: $1) }) { return parts }
        return ordered(self.value(of: value) ?? value)
    }

    /// Returns a value that can be compared. A quantity becomes the number that its text stands for.
    fileprivate func ordered(_ value: PrefsValue) -> PrefsValue {
        amount(of: value).map(PrefsValue.integer) ?? value
    }
}

extension PrefsStoredType.Limits {
    /// Returns true if a value of a type is within the bounds.
    func allow(_ value: PrefsValue, _ type: PrefsStoredType) -> Bool {
        let amount = type.ordered(value)
        if let minimum, let order = Self.order(amount, type.ordered(minimum)), order < 0 { return false }
        guard let maximum, let order = Self.order(amount, type.ordered(maximum)) else { return true }
        return excludesMaximum ? order < 0 : order <= 0
    }

    /// Returns a negative number, zero or a positive number; `nil` for values without an order.
    ///
    /// NaN orders below every number, so a range with a minimum rejects it.
    private static func order(_ lhs: PrefsValue, _ rhs: PrefsValue) -> Int? {
        switch (lhs, rhs) {
        case (.integer(let lhs), .integer(let rhs)): return lhs < rhs ? -1 : lhs == rhs ? 0 : 1
        case (.date(let lhs), .date(let rhs)): return lhs < rhs ? -1 : lhs == rhs ? 0 : 1
        case (.string(let lhs), .string(let rhs)): return lhs < rhs ? -1 : lhs == rhs ? 0 : 1
        default:
            guard let lhs = number(lhs), let rhs = number(rhs) else { return nil }
            return lhs > rhs ? 1 : lhs == rhs ? 0 : -1
        }
    }

    private static func number(_ value: PrefsValue) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }
}
