import LayeredPrefs

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    static var port: Self { Self("http.port", defaultValue: 80) }

    /// The same key and type, stored another way: what was kept of one must not be given to the other.
    static var doubledPort: Self { Self("http.port", defaultValue: 80, coding: DoublingPrefsCoding()) }
}

extension PersistentKeyProtocol where Self == PersistentKey<String> {
    static var host: Self { Self("http.host", defaultValue: "localhost") }
}

/// Stores half of a number.
struct DoublingPrefsCoding: PrefsCodable {
    func encode(prefsValue: Int) -> Int? { prefsValue / 2 }
    func decode(prefsValue: Int) -> Int? { prefsValue * 2 }
}
