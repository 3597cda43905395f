import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The command `prefs lock KEY`.
struct LockCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "lock", abstract: "Lock keys so that the layers above 'system' cannot change them.",
            discussion: Source.help(
                "lock updates telemetry @",
                text:
                    """
                    Adds the keys to the locks file beside the system file. A lock covers all keys below the \
                    key, too.
                    """
            )
        )
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The keys to lock, or prefixes of several keys.", completion: .keys(of: Source.self))
    var keys: [String]

    @Flag(help: "Lock keys even if the program does not declare them.")
    var allowUnknown = false

    @OptionGroup var waiting: WaitOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let stack = try layers.request.openToWrite(option: nil)
            let keys = try keys.map { try lockable($0, stack) }
            let path = try stack.locksFile()
            // Create the program's own folder, such as /etc/relay. If that fails, the write reports the error.
            if let slash = path.lastIndex(of: "/") { unsafe mkdir(String(path[..<slash]), 0o755) }
            var versions = ReplacedBytes()
            try PrefsFileWriter(path, options: PrefsFileWriteOptions(creationMode: 0o644)).replace { bytes in
                var text = try LocksText(bytes, path: path)
                for key in keys where !text.keys.contains(key) { text.add(key) }
                versions = ReplacedBytes(old: bytes, new: text.bytes)
                return versions.isChange ? text.bytes : nil
            }
            let change = try FileChange(ofLocks: path, replacing: versions, locking: keys)
            stack.storage.reload()
            if output.json { stack.printLocks(isChanged: versions.isChange) }
            try waiting.finish(change, in: stack)
        }
    }

    /// Returns the key as it is written to the locks file, without a trailing wildcard.
    private func lockable(_ argument: String, _ stack: Stack) throws -> String {
        let key = try LocksText.key(in: argument)
        if !allowUnknown {
            try stack.checkDeclaration(of: key, "unknown key (--allow-unknown locks it anyway)")
        }
        if let (reason, meant) = LockEffects(stack).uselessness(of: key) {
            throw CommandFailure.noSuchKey(key, "a lock on it would have no effect\(reason)", nearest: meant)
        }
        return key
    }
}

extension Stack {
    /// Throws if the program declares its keys and the name stands for none of them.
    func checkDeclaration(of key: String, _ words: String = "unknown key") throws {
        guard let declared, declared.holder(of: key) == nil, declared.renamed(key) == nil,
            !declared.isGroup(key)
        else { return }
        throw CommandFailure.noSuchKey(key, words, nearest: declared.nearest(to: key))
    }

    /// Prints the effective locks and whether the command changed the locks file.
    fileprivate func printLocks(isChanged: Bool) {
        Output.print(
            .object([("changed", .bool(isChanged)), ("locks", .array(storage.locks.map(\.json)))]))
    }
}

/// Finds key locks that can have no effect.
struct LockEffects {
    private let stack: Stack
    /// The paths that a layer sets and that have a dot within a component, by their components joined with dots.
    private let dotted: [String: PrefsPath]

    init(_ stack: Stack) {
        self.stack = stack
        var dotted: [String: PrefsPath] = [:]
        for layer in stack.storage.layers {
            for leaf in layer.storage.snapshot.dictionary.leaves where leaf.utf8.contains(UInt8(ascii: "\""))
            {
                let leaf = PrefsPath(leaf)
                for path in leaf.ancestors + [leaf] {
                    let letters = path.components.joined(separator: ".")
                    if letters != path.name { dotted[letters] = path }
                }
            }
        }
        self.dotted = dotted
    }

    /// Returns the reason why a lock on a key can have no effect, and the key that is probably meant, if one is
    /// known. Returns `nil` if the lock can have an effect.
    ///
    /// For example, if `routes` has an entry `example.com`, a lock on `routes.example.com` has no effect. Neither
    /// has a lock on `limits.cpu.max`, if the entries of `limits` are declared as integers.
    func uselessness(of key: String) -> (reason: String, meant: String?)? {
        let path = PrefsPath(key)
        if let meant = dotted[path.components.joined(separator: ".")], meant != path,
            stack.storage.snapshot.candidates(forKey: path.name).isEmpty
        {
            return ("", meant.name)
        }
        guard let holder = stack.declared?.holder(of: key) else { return nil }
        let place = path.components.dropFirst(PrefsPath(holder.name).components.count)
        if holder.storedType.mayHaveValue(at: place) { return nil }
        return (": “\(holder.name)” is declared as \(holder.storedType)", nil)
    }
}

extension PrefsStoredType {
    /// Returns true if a value of this type may contain a value at the path.
    fileprivate func mayHaveValue(at path: some Collection<String>) -> Bool {
        if path.isEmpty { return true }
        return switch self {
        case .dictionary(let value): value.mayHaveValue(at: path.dropFirst())
        case .any: true
        default: false
        }
    }
}

/// The command `prefs unlock KEY`.
struct UnlockCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "unlock", abstract: "Remove keys from the locks file.",
            discussion: Source.help(
                "unlock telemetry @",
                text: """
                    Exits with 1 if a key is not locked in the file. With --absent-ok, that is a success; an unknown \
                    key is still an error.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The keys to unlock, as 'locks' lists them.")
    var keys: [String]

    @Flag(help: "Exit with 0 if a key is not locked in the file.")
    var absentOk = false

    @OptionGroup var waiting: WaitOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let stack = try layers.request.openToWrite(option: nil)
            let path = try stack.locksFile()
            let unlocked = try keys.map(LocksText.key)
            var versions = ReplacedBytes()
            try PrefsFileWriter(path, options: PrefsFileWriteOptions(creationMode: 0o644)).replace { bytes in
                var text = try LocksText(bytes, path: path)
                for key in unlocked {
                    if text.keys.contains(key) {
                        text.remove(key)
                    } else if absentOk {
                        try stack.checkDeclaration(of: key)
                    } else {
                        throw notLocked(key, text.keys, path, stack)
                    }
                }
                versions = ReplacedBytes(old: bytes, new: bytes == nil ? nil : text.bytes)
                guard versions.isChange else { return nil }
                // The writer still holds the file lock here. A symbolic link stays, and so does its target.
                let isLink = (try? linkStatus(of: path))??.isLink ?? true
                if text.bytes.isEmpty, !isLink, unsafe unlink(path) == 0 {
                    versions.new = nil
                    return nil
                }
                return text.bytes
            }
            let change = try FileChange(ofLocks: path, replacing: versions, unlocking: unlocked)
            stack.storage.reload()
            if output.json { stack.printLocks(isChanged: versions.isChange) }
            try waiting.finish(change, in: stack)
        }
    }

    private func notLocked(_ key: String, _ locked: [String], _ path: String, _ stack: Stack)
        -> CommandFailure
    {
        if let lock = stack.storage.locks.first(where: { key.isBelow($0.key) }) {
            return CommandFailure.failed(
                "\(key): not locked in \(path), but by the lock on “\(lock.key)” in \(lock.origin)")
        }
        let nearest = SpellingSuggestion.nearest(to: key, among: locked)
        return CommandFailure.noSuchKey(key, "not locked in \(path)", nearest: nearest)
    }
}

/// The command `prefs locks`.
struct LocksCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "locks", abstract: "List the effective locks and the files that define them.",
            discussion: Source.help("locks @"))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @OptionGroup var output: OutputOptions

    func run() throws {
        try running {
            let stack = try layers.request.open()
            let locks = stack.storage.locks
            if output.json {
                Output.print(locks.map(\.json))
            } else {
                var table = Table()
                for lock in locks { table.add(.init(lock.key, .bold), .init(lock.origin.place, .dim)) }
                table.print()
            }
            try stack.checkSoundness()
        }
    }
}
