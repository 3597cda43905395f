import LayeredPrefs

extension PersistentKey where Value == Int {
    static var port: Self { Self("http.port", defaultValue: 80) }

    /// The same key, declared as in the first example of the guide.
    static var limitedPort: Self { Self("http.port", defaultValue: 80, in: 1...65535) }

    /// The same key and type with another coding. A cached value of one coding must not be returned for the other.
    static var doubledPort: Self { Self("http.port", defaultValue: 80, coding: DoublingPrefsCoding()) }
}

/// The same key with different options, each as a constant.
enum DeclaredKeys {
    static let range = PersistentKey("http.port", defaultValue: 80, in: 1...65535)
    static let validation = PersistentKey(
        "http.port", defaultValue: 80, .validate { $0 < 65536 ? nil : "expected a port" })
    static let secret = PersistentKey("http.port", defaultValue: 80, .secret)
    static let formerName = PersistentKey("server.port", defaultValue: 80, .formerly("http.port"))
    static let environmentName = PersistentKey("http.port", defaultValue: 80, .environmentName("PORT"))
    /// A key that a variable sets.
    static let text = PersistentKey("cache.size", defaultValue: 80)
}

extension PersistentKey where Value == Duration {
    static var timeout: Self { Self("timeout", defaultValue: .seconds(10)) }
}

extension PersistentKey where Value == String {
    static var host: Self { Self("http.host", defaultValue: "localhost") }
}

/// A coding that stores half of a number.
struct DoublingPrefsCoding: PrefsCodable {
    func encode(prefsValue: Int) -> Int? { prefsValue / 2 }
    func decode(prefsValue: Int) -> Int? { prefsValue * 2 }
}
