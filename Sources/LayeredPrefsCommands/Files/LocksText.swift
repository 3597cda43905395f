import LayeredPrefs

/// The text of a locks file, edited line by line so that comments are kept.
struct LocksText {
    private var lines: [Substring]

    init(_ bytes: [UInt8]?) {
        var text = String(decoding: bytes ?? [], as: UTF8.self)
        if text.hasSuffix("\n") { text.removeLast() }
        lines = text.isEmpty ? [] : Substring(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    var keys: [String] { LocksFile.entries(in: lines.joined(separator: "\n")).map(\.key) }

    mutating func add(_ key: String) { lines.append(Substring(key)) }

    /// Removes the lines that lock exactly this key.
    mutating func remove(_ key: String) {
        lines.removeAll { line in LocksFile.entries(in: String(line)).contains { $0.key == key } }
    }

    var bytes: [UInt8] { Array(lines.map { "\($0)\n" }.joined().utf8) }
}

extension Stack {
    /// Returns the locks file that `lock` and `unlock` edit: the one beside the topmost persistent system
    /// file.
    func locksFile() throws -> String {
        guard let place = systemLocations.last(where: { !$0.isVolatile }) else {
            throw CommandFailure.usage(
                "no persistent file in the layer “system”; the locks file is stored beside it")
        }
        let path = SystemPrefsStorage.locksPath(for: place.path)
        guard place.honorsLocksFile else {
            throw CommandFailure(
                CommandStatus.rejected,
                "\(path): locks are ignored in a folder named by an environment variable")
        }
        return path
    }
}
