import Foundation
import LayeredPrefs
import Observation

/// The yardstick: plain stored properties.
@Observable final class Plain {
    var int = 1
    var bool = true
    var double = 1.5
    var short = "short"
    var long = "a text that does not fit into sixteen bytes"
    var table = ["one": 1, "two": 2]
}

@PrefsSchema final class DictionaryPrefs {
    @Storage var storage: DictionaryPrefsStorage
    @StorageMode var storageMode = .cachedReadStorageWrite

    @Pref var int: Int = 0
    @Pref var bool: Bool = false
    @Pref var double: Double = 0
    @Pref var short: String = ""
    @Pref var long: String = ""
    @Pref var table: [String: Int] = [:]
    @Pref var absent: Int?

    init(_ storage: DictionaryPrefsStorage) { self.storage = storage }
}

@PrefsSchema final class StackPrefs {
    @Storage var storage: LayeredPrefsStorage
    @StorageMode var storageMode = .cachedReadStorageWrite

    @Pref var int: Int = 0
    @Pref var bool: Bool = false
    @Pref var double: Double = 0
    @Pref var short: String = ""
    @Pref var long: String = ""
    @Pref var table: [String: Int] = [:]
    @Pref var absent: Int?

    init(_ storage: LayeredPrefsStorage) { self.storage = storage }
}

let contents: [String: PrefsValue] = [
    "int": 1, "bool": true, "double": 1.5, "short": "short",
    "long": "a text that does not fit into sixteen bytes", "table": ["one": 1, "two": 2],
]
