public import FoundationEssentials
import PrefsDocuments

/// A coding that stores a date as ISO 8601 text in whole seconds of UTC: `2026-01-31T12:00:00Z`.
///
/// Fractions of a second are accepted in stored text, and dropped when a date is written.
@_documentation(visibility: internal)
public struct ISO8601DateStringPrefsCoding: PrefsCodable {
    /// Creates the coding.
    public init() {}

    /// Returns the text of a date, or `nil` for a date outside the years 0 to 9999.
    public func encode(prefsValue: Date) -> String? { DateText.wholeSeconds(of: prefsValue) }

    public func decode(prefsValue: String) -> Date? { PrefsText.date(prefsValue) }

    public var expectation: String { "a string with an ISO 8601 date" }
}

extension PrefsCoding where Self == ISO8601DateStringPrefsCoding {
    /// The coding that stores a `Date` as ISO 8601 text in whole seconds.
    public static var iso8601DateString: Self { Self() }
}

extension PrefsCodable where StorageValue == Date {
    /// A coding that stores the date of this coding as ISO 8601 text in whole seconds.
    public var iso8601DateString: some PrefsCodable<Value, String> {
        chained(with: ISO8601DateStringPrefsCoding())
    }
}
