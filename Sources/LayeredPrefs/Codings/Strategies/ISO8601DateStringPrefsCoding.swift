public import FoundationEssentials
import PrefsDocuments

/// Stores a date as ISO 8601 text in whole seconds of UTC, `2026-01-31T12:00:00Z`.
///
/// Fractions of a second are dropped when writing, and accepted when reading.
public struct ISO8601DateStringPrefsCoding: PrefsCodable {
    /// Creates the coding.
    public init() {}

    /// Returns `nil` for dates outside the years 0 to 9999.
    public func encode(prefsValue: Date) -> String? { DateText.wholeSeconds(of: prefsValue) }

    public func decode(prefsValue: String) -> Date? { PrefsText.date(prefsValue) }

    public var expectation: String { "a string with an ISO 8601 date" }
}

extension PrefsValueCoding where Self == ISO8601DateStringPrefsCoding {
    /// Stores a `Date` as ISO 8601 text in whole seconds.
    public static var iso8601DateString: Self { Self() }
}

extension PrefsCodable where StorageValue == Date {
    /// Stores this coding's date as ISO 8601 text in whole seconds.
    public var iso8601DateString: some PrefsCodable<Value, String> {
        chained(with: ISO8601DateStringPrefsCoding())
    }
}
