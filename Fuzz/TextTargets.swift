import FoundationEssentials
import LayeredPrefs
import LayeredPrefsCompression
import PrefsDocuments

/// Interprets lines as the keys of a JSON object, so that large dictionaries, duplicates and Unicode keys are
/// frequent. The document must have the same contents as a Swift dictionary.
func checkKeys(_ bytes: [UInt8]) {
    var expected: [String: PrefsValue] = [:]
    var text = Array("{".utf8)
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
        let key = String(decoding: line, as: UTF8.self)
        // The last of several equivalent keys wins, with its own spelling.
        expected.removeValue(forKey: key)
        expected[key] = .integer(Int128(index))
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += OrderedJSON.string(key).text.utf8
        text += ":\(index)".utf8
    }
    text.append(UInt8(ascii: "}"))
    guard let document = try? PrefsDocument(parsing: text, as: .json) else { return }
    precondition(document.content == expected, "the document and a dictionary disagree")
    precondition(document.root.count == expected.count)
    precondition(document.warnings.isEmpty == (expected.count == lines.count))
    for (key, value) in expected {
        guard let node = document.root[key] else {
            fatalError("a key of the dictionary is not in the document")
        }
        precondition(node.value == value)
    }
    let snapshot = PrefsSnapshot(expected)
    let paths = Set(expected.keys.map { PrefsPath.topLevel($0) })
    for key in expected.keys where key.utf8.count < 200 {
        let path = PrefsPath.topLevel(key)
        precondition(PrefsPath(path.name) == path, "the name of a key's path names another one")
        // A dotted key cannot be found if another key holds a value above it.
        let isBlocked = (1..<max(path.components.count, 1)).contains { depth in
            paths.contains(PrefsPath(components: Array(path.components.prefix(depth))))
        }
        precondition(
            snapshot[path.name] != nil || isBlocked, "a key is not found by its path's name")
        _ = snapshot.resolution(forKey: path.name)
    }
    _ = snapshot.dictionary
}

/// Interprets the input as a locks file.
func checkLocks(_ bytes: [UInt8]) {
    for entry in LocksDocument(parsing: bytes, path: "/f").entries {
        // The key may be empty, because a file's key may be: `""` names it.
        precondition(PrefsPath(entry.key).name == entry.key && entry.line > 0)
    }
}

/// Interprets lines as variables and arguments, and reads them as keys of many types.
func checkTexts(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    var variables: [String: String] = [:]
    for line in lines {
        let parts = line.split(separator: "=", maxSplits: 1)
        if parts.count == 2 { variables["MYD_\(parts[0])"] = String(parts[1]) }
    }
    let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
        PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "MYD_", environment: variables))
        PrefsLayer(.arguments, ArgumentsPrefsStorage(lines))
    }
    for name in ["a", "a.b", "k"] + stack.snapshot.keys.prefix(8) {
        _ = stack.get(PersistentKey(name, defaultValue: 1))
        _ = stack.get(PersistentKey(name, defaultValue: 1.5))
        _ = stack.get(PersistentKey(name, defaultValue: true))
        _ = stack.get(PersistentKey(name, defaultValue: "text"))
        _ = stack.get(PersistentKey(name, defaultValue: ["text"]))
        _ = stack.get(PersistentKey(name, defaultValue: ["text": 1]))
        _ = stack.get(PersistentKey(name, defaultValue: Data()))
        _ = stack.get(PersistentKey(name, defaultValue: Date(timeIntervalSinceReferenceDate: 0)))
        _ = stack.resolution(forKey: name)
    }
    stack.reportUnknownKeys()
}

/// Decompresses the input and compresses the result again. The first byte selects the algorithm.
func checkCompressed(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let algorithms = CompressionAlgorithm.allCases
    let coding = CompressedDataPrefsCoding(
        algorithm: algorithms[Int(first) % algorithms.count], maximumSize: 1 << 20)
    guard let data = coding.decode(prefsValue: Data(bytes.dropFirst())) else { return }
    precondition(data.count <= coding.maximumSize)
    guard let again = coding.encode(prefsValue: data) else { fatalError("decoded data is not encodable") }
    precondition(coding.decode(prefsValue: again) == data)
}
