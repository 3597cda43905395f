import LayeredPrefs

extension PersistentKey where Value == Int {
    static var port: Self { Self("http.port", defaultValue: 80) }

    /// The same key and type with another coding: a value cached for one must not be returned for the other.
    static var doubledPort: Self { Self("http.port", defaultValue: 80, coding: DoublingPrefsCoding()) }
}

extension PersistentKey where Value == String {
    static var host: Self { Self("http.host", defaultValue: "localhost") }
}

/// Stores half of a number.
struct DoublingPrefsCoding: PrefsCodable {
    func encode(prefsValue: Int) -> Int? { prefsValue / 2 }
    func decode(prefsValue: Int) -> Int? { prefsValue * 2 }
}
