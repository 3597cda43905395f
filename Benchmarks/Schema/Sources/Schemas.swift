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

/// Values that the compiler cannot know, on the heap like those of any program.
func makeContents(_ seed: Int) -> [String: PrefsValue] {
    [
        "int": .integer(Int128(seed)), "bool": .bool(seed > 0), "double": .real(Double(seed) + 0.5),
        "short": .string("short \(seed)"),
        "long": .string("a text that does not fit into sixteen bytes \(seed)"),
        "table": ["one": 1, "two": .integer(Int128(seed))],
    ]
}

extension Plain {
    func fill(from contents: [String: PrefsValue]) {
        let storage = DictionaryPrefsStorage(values: contents)
        int = storage.storageValue(forKey: "int") ?? 0
        bool = storage.storageValue(forKey: "bool") ?? false
        double = storage.storageValue(forKey: "double") ?? 0
        short = storage.storageValue(forKey: "short") ?? ""
        long = storage.storageValue(forKey: "long") ?? ""
        table = storage.storageValue(forKey: "table") ?? [:]
    }
}
