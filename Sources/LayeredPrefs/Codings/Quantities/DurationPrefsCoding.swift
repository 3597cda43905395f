public import PrefsDocuments

/// A coding that stores a `Duration` as text with units: `250ms`, `30s`, `1h30m`, `2d`.
///
/// ```swift
/// @Pref(in: .seconds(1)...(.seconds(3600))) var timeout: Duration = .seconds(30)
/// ```
///
/// The units are `w`, `d`, `h`, `m` (or `min`), `s`, `ms`, `us` and `ns`, from the largest to the smallest.
/// ISO 8601 text such as `PT1M30S` is read, too.
///
/// A number without a unit is rejected, and the message suggests seconds. To accept such numbers, declare a
/// unit: `coding: .duration(in: .milliseconds)`.
///
/// A negative duration is rejected and cannot be written. The same holds for a duration whose seconds do not
/// fit in an `Int64`.
@_documentation(visibility: internal)
public struct DurationPrefsCoding: PrefsCodable {
    /// A unit of time for durations that are stored as a number.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// A thousandth of a second.
        case milliseconds
        /// A second.
        case seconds
        /// 60 seconds.
        case minutes
        /// 3600 seconds.
        case hours
        /// 24 hours.
        case days
    }

    private let unit: Unit?

    /// Creates the coding.
    ///
    /// - Parameter unit: The unit of numbers that are stored without a unit, or `nil` to reject such numbers.
    public init(unit: Unit? = nil) {
        self.unit = unit
    }

    /// Returns the stored form of a duration.
    ///
    /// If the coding has a unit and the number of units is whole, the stored form is that number. Otherwise
    /// it is text.
    public func encode(prefsValue: Duration) -> PrefsValue? {
        guard let text = prefsValue.prefsText else { return nil }
        return unit?.count(in: prefsValue).map(PrefsValue.integer) ?? .string(text)
    }

    /// Returns the stored form of a duration.
    ///
    /// - Throws: ``PrefsError`` with the code ``PrefsError/Code/notEncodable`` for a negative duration.
    public func encode(_ value: Duration) throws -> PrefsValue? {
        guard let stored = encode(prefsValue: value) else {
            throw PrefsError(
                .notEncodable, reason: "expected a duration that is not negative, found \(value)")
        }
        return stored
    }

    public func decode(prefsValue: PrefsValue) -> Duration? {
        switch prefsValue {
        case .string(let text): Duration(prefsText: text)
        case .integer(let count): unit.flatMap { Duration(prefsText: "\(count)\($0.symbol)") }
        default: nil
        }
    }

    public func storedForm(ofText text: String) -> PrefsValue? {
        guard unit != nil, let count = PrefsText.integer(text) else { return .string(text) }
        return .integer(count)
    }

    public var expectation: String {
        let text = #"a duration such as "30s" or "1h30m""#
        return unit.map { "\(text), or a number of \($0)" } ?? text
    }

    public func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        unit == nil ? .duration(found: stored) : PrefsMismatch(expected: expectation)
    }

    public var storedType: PrefsStoredType { unit == nil ? .duration : .any }
}

extension DurationPrefsCoding.Unit {
    fileprivate var symbol: String { self == .milliseconds ? "ms" : String(rawValue.prefix(1)) }

    /// Returns the number of units in a duration; `nil` if it is not whole.
    fileprivate func count(in duration: Duration) -> Int128? {
        guard let one = Duration(prefsText: "1\(symbol)")?.attoseconds else { return nil }
        let (count, rest) = duration.attoseconds.quotientAndRemainder(dividingBy: one)
        return rest == 0 ? count : nil
    }
}

extension PrefsCoding where Self == DurationPrefsCoding {
    /// Returns a coding that stores a `Duration` as a whole number of a unit, or else as text, and reads both.
    ///
    /// - Parameter unit: `.milliseconds`, `.seconds`, `.minutes`, `.hours` or `.days`.
    public static func duration(in unit: DurationPrefsCoding.Unit) -> Self { Self(unit: unit) }
}

extension Duration: PrefsStorable {
    /// The coding that stores a duration as text with units.
    public static var defaultPrefsCoding: DurationPrefsCoding { DurationPrefsCoding() }
}
