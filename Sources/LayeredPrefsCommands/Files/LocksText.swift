import LayeredPrefs

/// The bytes of a locks file. Edits change single lines, so that comments and line endings are kept.
struct LocksText {
    /// The lines, each with its line ending.
    private var lines: [ArraySlice<UInt8>]
    private let path: String

    /// - Throws: ``PrefsError`` that names the first invalid line. An invalid file locks every key that its layer
    ///   sets, and an edit must not hide that.
    init(_ bytes: [UInt8]?, path: String) throws(PrefsError) {
        self.path = path
        let bytes = bytes ?? []
        if var problem = LocksDocument(parsing: bytes, path: path).problem {
            problem.reason += "; nothing was changed"
            throw problem
        }
        // A byte order mark stays part of the first line.
        let starts = [0] + LocksDocument.lines(of: bytes).map(\.startIndex).dropFirst()
        lines = zip(starts, starts.dropFirst() + [bytes.count]).map { bytes[$0..<$1] }
    }

    var bytes: [UInt8] { Array(lines.joined()) }

    var keys: [String] { LocksDocument(parsing: bytes, path: path).entries.map(\.key) }

    /// Adds a line that locks a key. It has the same line ending as the first line.
    mutating func add(_ key: String) {
        let end = lines.first.map { Array($0.reversed().prefix(while: Self.endsLine).reversed()) } ?? []
        let lineEnd = end.isEmpty ? Array("\n".utf8) : end
        if let last = lines.last?.last, !Self.endsLine(last) { lines[lines.count - 1] += lineEnd }
        lines.append((Array(LocksDocument.line(locking: key).utf8) + lineEnd)[...])
    }

    /// Removes the lines that lock exactly this key.
    mutating func remove(_ key: String) {
        lines.removeAll { line in
            LocksDocument(parsing: Array(line), path: path).entries.contains { $0.key == key }
        }
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension LocksText {
    /// Returns the key that an argument names. The argument is parsed like a line of a locks file.
    static func key(in argument: String) throws -> String {
        let reason: String
        do throws(LocksDocument.Fault) {
            if let key = try LocksDocument.key(in: argument.utf8, allowsComment: false) { return key }
            reason = "expected a key"
        } catch {
            reason = error.reason
        }
        throw CommandFailure.usage("\(ShellWord.quoting(argument)): \(reason)")
    }
}

extension Stack {
    /// Returns the locks file that `lock` and `unlock` edit. It is beside the topmost persistent system file whose
    /// locks file is honored.
    func locksFile() throws -> String {
        guard let place = systemLocations.last(where: { !$0.isVolatile && $0.honorsLocksFile }) else {
            throw CommandFailure.usage(
                "the layer “system” has no persistent file, beside which a locks file could be stored")
        }
        return SystemPrefsStorage.locksPath(for: place.path)
    }
}
