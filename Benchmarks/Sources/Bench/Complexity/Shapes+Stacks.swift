import Dispatch
import FileWatching
import Foundation
import LayeredPrefs
import PrefsDocuments

/// Files that a stack reads again after an edit.
extension Shape {
    static var stacks: [Shape] {
        [
            stack("stack-keys") { "\"k\($0)\":\($1)" },
            stack("stack-keys-observed", observesAll: true) { "\"k\($0)\":\($1)" },
            stack("stack-nested-observed", head: "\"a\":{\"b\":{", tail: "}}}", observesAll: true) {
                "\"k\($0)\":\($1)"
            },
            stack("stack-unknown-keys") { "\"http.prt\($0)\":\($1)" },
            stack("stack-wrong-values") { "\"http\":{\"port\":\"\($1)\"},\"k\($0)\":\($1)" },
            stack("stack-literal-keys") { "\"a.b\($0).c\":\($1)" },
            stack("stack-literal-dictionary", head: "\"x.y\":1,\"a.b\":{", tail: "}}") {
                "\"k\($0)\":\($1)"
            },
            stack("stack-nested", head: "\"x.y\":1,\"a\":{\"b\":{", tail: "}}}") { "\"k\($0)\":\($1)" },
            stack("stack-deep") { index, version in
                "\"k\(index)\":" + String(repeating: "{\"a\":", count: 60) + "\(version)"
                    + String(repeating: "}", count: 60)
            },
            stack("stack-dotted-keys") { "\"\(String(repeating: "a.", count: 1000))\($0)\":\($1)" },
            stack("stack-marks-in-keys") {
                "\"a\(String(repeating: "\u{301}\u{316}", count: 15))\($0)\":\($1)"
            },
            stack("stack-xml", .xml) { "<key>k\($0)</key><integer>\($1)</integer>" },
            stack("stack-toml", .toml) { "k\($0) = \($1)" },
            stack("stack-toml-tables", .toml) { "[t\($0)]\na = \($1)" },
            system("locks") { folder, size in
                try folder.write(Text(size) { "http.key\($0).*  # a comment\n" }, to: "x.locks")
            },
            system("locks-bad") { folder, size in
                try folder.write(Text(size) { "http key\($0) \u{1B}\n" }, to: "x.locks")
            },
            system("locks-repeated") { folder, size in
                try folder.write(Text(size) { _ in "http.some-key.of-a-service\n" }, to: "x.locks")
            },
            system("locks-blank") { folder, size in
                try folder.write(Text(size) { _ in "\n" }, to: "x.locks")
            },
            // Each line of eleven bytes creates a lock under both names, in the file's table and in the stack's
            // table.
            locksBelowFormerName.memory(60),
            system("drop-ins") { folder, size in
                for number in 0..<size / 512 {
                    try folder.write("{\"k\(number)\":1}", in: "x.json.d", "\(number).json")
                }
            },
            writing,
        ]
    }

    /// The syntax of a file around its entries.
    private struct Layout {
        let name: String
        /// The beginning of the file, with an entry for the version.
        let head: @Sendable (_ version: Int) -> String
        let tail: String
        let separator: String

        static let json = Layout(name: "json", head: { "{\"version\":\($0)," }, tail: "}", separator: ",")
        static let xml = Layout(
            name: "plist", head: { "<plist><dict><key>version</key><integer>\($0)</integer>" },
            tail: "</dict></plist>", separator: "")
        static let toml = Layout(name: "toml", head: { "version = \($0)\n" }, tail: "", separator: "\n")
    }

    /// A file in a stack with a declared key and an observer of the version. All values of the file change. The
    /// commit, the reports and the notification are measured.
    ///
    /// - Parameter observesAll: True to observe all keys instead of one.
    private static func stack(
        _ name: String, _ layout: Layout = .json, head: String = "", tail: String? = nil,
        observesAll: Bool = false,
        _ entry: @escaping (_ index: Int, _ version: Int) -> String
    ) -> Shape {
        Shape(name) { size in
            let folder = try Folder()
            func write(_ version: Int) throws {
                let text = Text(
                    layout.head(version) + head, tail ?? layout.tail, size: size, separator: layout.separator
                ) { entry($0, version) }
                try folder.write(text, to: "x.\(layout.name)")
            }
            try write(1)
            let storage = FilePrefsStorage(path: "\(folder.path)/x.\(layout.name)", options: options)
            let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                PrefsLayer(.defaults, DictionaryPrefsStorage(values: ["http": ["port": 80]]))
                PrefsLayer(.user, storage)
            }
            let notified = DispatchSemaphore(value: 0)
            let observation =
                observesAll
                ? stack.observe { (_: PrefsChangeSet) in notified.signal() }
                : stack.observe(PersistentKey("version", defaultValue: 0)) { _ in notified.signal() }
            stack.declare(PersistentKey("http.port", defaultValue: 1))
            stack.reportUnknownKeys()
            try write(2)
            return {
                storage.reload()
                stack.reportUnknownKeys()
                notified.wait()
                precondition(stack.get(PersistentKey("absent", defaultValue: 7)) == 7)
                precondition(!folder.path.isEmpty)  // It lives as long as this closure.
                observation.cancel()
            }
        }
    }

    /// A system location below a user's value.
    private static func system(
        _ name: String, _ write: @escaping (_ folder: Folder, _ size: Int) throws -> Void
    ) -> Shape {
        Shape(name) { size in
            let folder = try Folder()
            try folder.write("{\"http\":{\"key7\":{\"a\":1}}}", to: "x.json")
            try write(folder, size)
            let place = PrefsFileLocations.System(path: folder.path + "/x.json")
            let key = PersistentKey("http.key7.a", defaultValue: 0)
            return {
                let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                    PrefsLayer(.system, SystemPrefsStorage(locations: [place], options: options))
                    PrefsLayer(.user, DictionaryPrefsStorage(values: ["http": ["port": 2]]))
                }
                let observation = stack.observe(key) { _ in }
                precondition(stack.get(key) == 1)
                precondition(stack.explanation(for: key).description.isEmpty == false)
                precondition(!folder.path.isEmpty)  // It lives as long as this closure.
                observation.cancel()
            }
        }
    }

    /// Key locks below both names of a key whose values are dictionaries.
    private static var locksBelowFormerName: Shape {
        Shape("locks-two-names") { size in
            let folder = try Folder()
            try folder.write("{\"new\":{\"k1\":1},\"old\":{\"k2\":2}}", to: "x.json")
            let locks = Text(size) { "\($0 % 2 == 0 ? "new" : "old").k\($0)\n" }
            try folder.write(locks, to: "x.locks")
            let place = PrefsFileLocations.System(path: folder.path + "/x.json")
            let key = PersistentKey("new", defaultValue: [String: Int](), .formerly("old"))
            return {
                let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                    PrefsLayer(.system, SystemPrefsStorage(locations: [place], options: options))
                    PrefsLayer(.user, DictionaryPrefsStorage(values: ["new": ["k1": 3, "other": 4]]))
                }
                let observation = stack.observe(key) { _ in }
                precondition(stack.get(key)["k1"] == 1)
                precondition(stack.get(key)["other"] == 4)
                precondition(!folder.path.isEmpty)  // It lives as long as this closure.
                observation.cancel()
            }
        }
    }

    /// A write to a file that has many dotted keys.
    private static var writing: Shape {
        Shape("write-literal-keys") { size in
            let folder = try Folder()
            try folder.write(Text("{", "}", size: size, separator: ",") { "\"a.b\($0).c\":1" }, to: "x.json")
            let storage = FilePrefsStorage(path: folder.path + "/x.json", options: options)
            return {
                precondition(storage.value(forKey: "a")?.dictionary != nil)
                try storage.setValue(2, forKey: "a.b0.c")
                try storage.removeValue(forKey: "a.b1.c")
                precondition(!folder.path.isEmpty)
            }
        }
    }

    /// Options for files that are not watched.
    private static var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        options.limits.values = 1 << 26
        return options
    }
}

extension Folder {
    fileprivate func write(_ text: Text, to name: String) throws {
        try Data(text.bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }
}
