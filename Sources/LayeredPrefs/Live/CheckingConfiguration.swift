import Glibc
import PrefsDocuments
import PrefsFiles

extension Live {
    /// Checks a configuration without starting, if the program is called with `--check-config`.
    ///
    /// ```swift
    /// if let status = Live.checkConfiguration(Relay(), storage) { exit(status) }
    /// ```
    ///
    /// `myd --check-config` checks what the program would start with; `myd --check-config FILE…` checks these files
    /// instead, the later ones above the earlier. Each problem is a line on the standard error with layer, file, line and
    /// key, as a unit's `ExecStartPre=` and `ExecReload=` show it.
    ///
    /// - Parameters:
    ///   - defaults: The default instance.
    ///   - storage: The stack that the program would start with.
    ///   - path: The path of the configuration in the stack; empty for the root.
    ///   - named: The options of fields by name.
    ///   - rule: Throws if the value as a whole is wrong.
    ///   - arguments: The arguments of the process.
    /// - Returns: The status to exit with, 0 or 1; `nil` if the program is not called with `--check-config`.
    public static func checkConfiguration(
        _ defaults: Value, _ storage: LayeredPrefsStorage, at path: String = "",
        fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in },
        arguments: [String] = CommandLine.arguments
    ) -> Int32? {
        storage.checkConfiguration(arguments) {
            problems(of: defaults, $0, at: path, fields: named, rule: rule)
        }
    }

    /// Returns everything for which creating a configuration would throw.
    public static func problems(
        of defaults: Value, _ storage: LayeredPrefsStorage, at path: String = "",
        fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in }
    ) -> [PrefsError] {
        do {
            let place = path.isEmpty ? [] : PrefsPath(path).components
            let fields = try ConfigurationFields(defaults, at: place, named: named)
            return fields.problems(of: storage, at: storage.snapshot, rule)
        } catch {
            return [error as? PrefsError ?? PrefsError(.invalid, reason: "\(error)")]
        }
    }
}

extension LayeredPrefsStorage {
    /// Checks the files, and the values of keys, without starting, if the program is called with `--check-config`.
    ///
    /// ```swift
    /// if let status = storage.checkConfiguration(Prefs.keys) { exit(status) }
    /// ```
    ///
    /// It is what ``Live/checkConfiguration(_:_:at:fields:rule:arguments:)`` is for one struct.
    ///
    /// - Parameters:
    ///   - keys: The keys of the program.
    ///   - arguments: The arguments of the process.
    /// - Returns: The status to exit with, 0 or 1; `nil` if the program is not called with `--check-config`.
    public func checkConfiguration(
        _ keys: [PrefsKeyDescription], arguments: [String] = CommandLine.arguments
    ) -> Int32? {
        checkConfiguration(arguments) { $0.problems(of: keys) }
    }

    /// Returns what is wrong with the files as they are now, and with the values of keys, each with layer, file, line and
    /// key.
    public func problems(of keys: [PrefsKeyDescription]) -> [PrefsError] {
        let copy = reopened()
        copy.declare(keys)
        return copy.problemsOfFiles + copy.rejectedValues.map(\.error)
    }

    /// - Parameter problems: Returns what is wrong with a stack.
    fileprivate func checkConfiguration(
        _ arguments: [String], _ problems: (LayeredPrefsStorage) -> [PrefsError]
    ) -> Int32? {
        guard let place = arguments.firstIndex(of: "--check-config") else { return nil }
        let files = arguments[(place + 1)...].prefix { !$0.hasPrefix("-") }
        let checked = files.isEmpty ? self : LayeredPrefsStorage(checking: Array(files))
        let missing = files.filter { unsafe access($0, F_OK) != 0 }.map { file in
            let reason = "it does not exist, or its folder may not be searched"
            return PrefsError(.missing, origin: PrefsOrigin(file: file), reason: reason)
        }
        let problems = missing + problems(checked)
        for problem in problems { Self.write("\(problem)".printable + "\n", to: STDERR_FILENO) }
        if problems.isEmpty { Self.write("The configuration is valid.\n", to: STDOUT_FILENO) }
        return problems.isEmpty ? 0 : 1
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Creates a stack of files to check, which are not watched; each has to exist.
    fileprivate convenience init(checking files: [String]) {
        var options = FilePrefsStorage.Options().unwatched
        options.diagnostics = PrefsDiagnostics()
        let layers = files.enumerated().map { number, file in
            let name = number == 0 ? "file" : "file \(number + 1)"
            return PrefsLayer(PrefsLayer.Name(name), FilePrefsStorage(path: file, options: options))
        }
        self.init(coalescing: .standard, diagnostics: PrefsDiagnostics(), layers)
    }
}
