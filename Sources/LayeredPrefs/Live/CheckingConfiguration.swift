import PrefsDocuments
import PrefsFiles
import PrefsSystem

extension Live {
    /// Checks a configuration without starting the program, if it is called with `--check-config`.
    ///
    /// ```swift
    /// if let status = Live.checkConfiguration(Relay(), storage) { exit(status) }
    /// ```
    ///
    /// `myd --check-config` checks the settings that the program would start with. `myd --check-config FILE…`, or
    /// `--check-config=FILE`, checks these files instead. If there are several files, later ones override earlier
    /// ones. Arguments after `--` belong to the program.
    ///
    /// Each problem is a line on the standard error with layer, file, line and key, so that a unit's `ExecStartPre=`
    /// and `ExecReload=` show it. Warnings are printed, too, for example about an unknown key; a configuration with
    /// warnings is still valid. Flags and settings on the same command line are also checked.
    ///
    /// ``PrefsStack/checkConfiguration(arguments:_:)-5pcew`` checks several configurations of one stack.
    ///
    /// - Parameters:
    ///   - defaults: The default instance.
    ///   - storage: The stack that the program would start with.
    ///   - path: The path of the configuration in the stack, or the empty string for the root.
    ///   - named: The options of fields, by name.
    ///   - rule: Throws if the value as a whole is invalid.
    ///   - arguments: The arguments of the process.
    /// - Returns: The status to exit with, 0 or 1, or `nil` if the program is not called with `--check-config`. In a
    ///   set-uid process, the result is always `nil`, because the caller must not see files that only the program may
    ///   read.
    public static func checkConfiguration(
        _ defaults: Value, _ storage: PrefsStack, at path: String = "",
        fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in },
        arguments: [String] = CommandLine.arguments
    ) -> Int32? {
        storage.checkConfiguration(arguments: arguments) { check in
            check(defaults, at: path, fields: named, rule: rule)
        }
    }

    /// Checks a configuration with an asynchronous check, as the program would check it at the start.
    ///
    /// ```swift
    /// if let status = await Live.checkConfiguration(Relay(), storage, check: readCertificate) { exit(status) }
    /// ```
    ///
    /// - Parameters:
    ///   - defaults: The default instance.
    ///   - storage: The stack that the program would start with.
    ///   - path: The path of the configuration in the stack, or the empty string for the root.
    ///   - named: The options of fields, by name.
    ///   - rule: Throws if the value as a whole is invalid.
    ///   - check: Throws if the program cannot use the value. It is called if there is no other problem.
    ///   - arguments: The arguments of the process.
    /// - Returns: The status to exit with, as from ``checkConfiguration(_:_:at:fields:rule:arguments:)``.
    @_disfavoredOverload
    public static func checkConfiguration(
        _ defaults: Value, _ storage: PrefsStack, at path: String = "",
        fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in },
        check: @escaping @Sendable (Value) async throws -> Void,
        arguments: [String] = CommandLine.arguments
    ) async -> Int32? {
        await storage.checkConfiguration(arguments: arguments) { all in
            await all(defaults, at: path, fields: named, rule: rule, check: check)
        }
    }

    /// Returns all problems that creating a configuration would throw. The argument `--check-config` is no problem.
    public static func problems(
        of defaults: Value, _ storage: PrefsStack, at path: String = "",
        fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in }
    ) -> [PrefsError] {
        var check = PrefsConfigurationCheck()
        check(defaults, at: path, fields: named, rule: rule)
        return check.problems(of: storage)
    }

    /// Returns all problems that creating a configuration with a check would throw.
    ///
    /// The check is called if there is no other problem. The argument `--check-config` is no problem.
    @_disfavoredOverload
    public static func problems(
        of defaults: Value, _ storage: PrefsStack, at path: String = "",
        fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in },
        check: @escaping @Sendable (Value) async throws -> Void
    ) async -> [PrefsError] {
        var all = PrefsConfigurationCheck()
        await all(defaults, at: path, fields: named, rule: rule, check: check)
        return await all.problemsWithChecks(of: storage)
    }
}

/// The configurations and keys of a program that `--check-config` checks together.
///
/// ``PrefsStack/checkConfiguration(arguments:_:)-5pcew`` gives you a check. Call it once for each configuration, and for
/// each list of keys.
public struct PrefsConfigurationCheck {
    /// A configuration, or some keys.
    private struct Part {
        /// The path of the configuration; empty for the root of the stack.
        var path = ""
        var names: [PrefsKeyName] = []
        var elements: [ElementFields] = []
        /// Returns the problems of a stack.
        let problems: (PrefsStack) -> [PrefsError]
        /// Returns the rejected values of a stack.
        var rejected: (PrefsStack) -> [RejectedValue] = { _ in [] }
        /// Calls the asynchronous check with the value of a stack that has no other problem. Returns the problem
        /// that the check finds.
        var complaint: ((PrefsStack) async -> PrefsError?)?
    }

    private var parts: [Part] = []
    private var keys: [PrefsKeyDescription] = []

    /// Checks a configuration.
    ///
    /// - Parameters:
    ///   - defaults: The default instance.
    ///   - path: The path of the configuration in the stack, or the empty string for the root.
    ///   - named: The options of fields, by name.
    ///   - rule: Throws if the value as a whole is invalid.
    public mutating func callAsFunction<Value: Codable & Sendable>(
        _ defaults: Value, at path: String = "", fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in }
    ) {
        do {
            let fields = try ConfigurationFields(defaults, at: path, named: named, rule: rule)
            parts.append(
                Part(path: path, names: fields.names, elements: fields.elements) { storage in
                    var fields = fields
                    fields.writtenFile = storage.writeTarget?.writtenFile
                    let snapshot = storage.snapshot
                    return fields.placed(fields.problems(of: storage, at: snapshot), in: snapshot)
                } rejected: { storage in
                    fields.rejections(in: storage.snapshot)
                })
        } catch {
            let error = error as? PrefsError ?? PrefsError(.invalid, reason: "\(error)")
            parts.append(Part(path: path) { _ in [error] })
        }
    }

    /// Checks a configuration, with an asynchronous check for problems that the values alone do not show.
    ///
    /// - Parameters:
    ///   - defaults: The default instance.
    ///   - path: The path of the configuration in the stack, or the empty string for the root.
    ///   - named: The options of fields, by name.
    ///   - rule: Throws if the value as a whole is invalid.
    ///   - check: Throws if the program cannot use the value. It is called if this configuration has no other problem.
    public mutating func callAsFunction<Value: Codable & Sendable>(
        _ defaults: Value, at path: String = "", fields named: [String: FieldOptions] = [:],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in },
        check: @escaping @Sendable (Value) async throws -> Void
    ) async {
        self(defaults, at: path, fields: named, rule: rule)
        guard let fields = try? ConfigurationFields(defaults, at: path, named: named, rule: rule) else {
            return
        }
        parts[parts.count - 1].complaint = { storage in
            let snapshot = storage.snapshot
            guard case .success(let value) = fields.value(in: snapshot) else { return nil }
            do {
                try await check(value)
                return nil
            } catch {
                return fields.placed(fields.problem(error, with: value, of: "the program"), in: snapshot)
            }
        }
    }

    /// Checks the values of keys, such as the keys of a schema, `Prefs.keys`.
    public mutating func callAsFunction(_ keys: [PrefsKeyDescription]) {
        self.keys += keys
        parts.append(
            Part {
                $0.problems(of: keys)
            } rejected: {
                $0.reopened(declaring: keys).rejectedValues
            })
    }

    private var names: [PrefsKeyName] { parts.flatMap(\.names) }

    /// Returns everything that is wrong with a stack: first the arguments, then the files, then the values.
    func problems(of storage: PrefsStack) -> [PrefsError] {
        let arguments = unknownArguments(of: storage)
        var found = arguments
        for problem in parts.flatMap({ $0.problems(storage) }).without(arguments)
        where !found.contains(where: { $0.isSame(as: problem) }) {
            found.append(problem)
        }
        let files = storage.problemsOfFiles
        let isOfFile = { (problem: PrefsError) in files.contains { $0.isSame(as: problem) } }
        let values = found.filter { $0.code != .usage && !isOfFile($0) }
        return found.filter { $0.code == .usage } + found.filter { $0.code != .usage && isOfFile($0) }
            + values
    }

    /// Returns ``problems(of:)`` and the problems that asynchronous checks find. An asynchronous check is called
    /// only if its configuration has no other problem, and all arguments are known.
    func problemsWithChecks(of storage: PrefsStack) async -> [PrefsError] {
        var found = problems(of: storage)
        guard unknownArguments(of: storage).isEmpty else { return found }
        for part in parts where part.problems(storage).isEmpty {
            if let complaint = await part.complaint?(storage) { found.append(complaint) }
        }
        return found
    }

    /// Returns the errors of arguments that nothing declares; none if there is no configuration at the root.
    private func unknownArguments(of storage: PrefsStack) -> [PrefsError] {
        guard parts.contains(where: \.path.isEmpty) else { return [] }
        return storage.declaring(keys).unknownArguments(declaring: names, ignoring: [CheckingArgument.flag])
    }

    /// Returns a warning for each wrong value that has no effect, and for each stored key that is not part of any of the
    /// configurations. A type that is not suitable is a problem, and has no warnings.
    ///
    /// - Parameter others: The stack that other configurations have declared their fields to; by default the same one.
    func warnings(about storage: PrefsStack, besides others: PrefsStack? = nil)
        -> [PrefsError]
    {
        let paths = parts.filter { !$0.names.isEmpty }.map(\.path) + (keys.isEmpty ? [] : [""])
        if paths.isEmpty { return [] }
        let shadowed = parts.flatMap { $0.rejected(storage) }.compactMap(\.warning)
        return shadowed
            + (others ?? storage).declaring(keys).undeclared(
                in: storage.snapshot, besides: names, parts.flatMap(\.elements), below: paths)
    }
}

extension PrefsError {
    /// Returns true if two problems are printed alike.
    fileprivate func isSame(as other: PrefsError) -> Bool {
        key == other.key && reason == other.reason && origin == other.origin
    }
}

/// The argument that makes a program check its configuration instead of starting: `--check-config`, optionally
/// followed by files, or `--check-config=FILE`.
private struct CheckingArgument {
    static let flag = ConfigurationArgument.checkingFlag

    /// The files to check; empty for the files that the program would read.
    private(set) var files: [String] = []
    /// The errors of arguments that name no file.
    private(set) var problems: [PrefsError] = []

    /// - Parameter arguments: The arguments of the process. Arguments after `--` belong to the program.
    /// - Returns: `nil` if none of the arguments asks for a check.
    init?(_ arguments: [String]) {
        var isAsked = false
        var rest = arguments.prefix { $0 != "--" }[...]
        while let argument = rest.popFirst() {
            if argument.hasPrefix("\(Self.flag)=") {
                add(String(argument.dropFirst(Self.flag.count + 1)), of: argument)
            } else if argument != Self.flag {
                continue
            }
            isAsked = true
            while let file = rest.first, !file.hasPrefix("-") {
                add(file, of: file)
                rest.removeFirst()
            }
        }
        if !isAsked { return nil }
    }

    private mutating func add(_ file: String, of argument: String) {
        if UndecodableArguments.ofProcess.contains(argument) {
            problems.append(.notUTF8(spelling: Self.flag))
        } else if file.isEmpty {
            problems.append(
                PrefsError(
                    .usage, origin: PrefsOrigin(spelling: Self.flag),
                    reason: "expected a file, as in \(Self.flag) FILE"))
        } else {
            files.append(file)
        }
    }
}

extension PrefsStack {
    /// Checks the files and the values of keys without starting the program, if it is called with `--check-config`.
    ///
    /// ```swift
    /// if let status = storage.checkConfiguration(Prefs.keys) { exit(status) }
    /// ```
    ///
    /// For a struct, ``Live/checkConfiguration(_:_:at:fields:rule:arguments:)`` does the same.
    ///
    /// - Parameters:
    ///   - keys: The keys of the program.
    ///   - arguments: The arguments of the process.
    /// - Returns: The status to exit with, 0 or 1, or `nil` if the program is not called with `--check-config`. In a
    ///   set-uid process, the result is always `nil`, because the caller must not see files that only the program may
    ///   read.
    public func checkConfiguration(
        _ keys: [PrefsKeyDescription], arguments: [String] = CommandLine.arguments
    ) -> Int32? {
        checkConfiguration(arguments: arguments) { check in check(keys) }
    }

    /// Checks several configurations and keys of this stack together, if the program is called with `--check-config`.
    ///
    /// ```swift
    /// let status = storage.checkConfiguration { check in
    ///     check(Gateway(), rule: Gateway.rule)
    ///     check(RateLimit(), at: "rateLimit", rule: RateLimit.rule)
    /// }
    /// if let status { exit(status) }
    /// ```
    ///
    /// The program does not start. All problems are printed, each of them once, and there is one verdict for all. If
    /// one configuration declares a key, the key is not unknown to the others. Otherwise, this method works as
    /// ``Live/checkConfiguration(_:_:at:fields:rule:arguments:)`` does.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the process.
    ///   - body: A closure that calls the check for each configuration and each list of keys. It is called only if the
    ///     program is to check its configuration.
    /// - Returns: The status to exit with, 0 or 1, or `nil` if the program is not called with `--check-config`. In a
    ///   set-uid process, the result is always `nil`, because the caller must not see files that only the program may
    ///   read.
    public func checkConfiguration(
        arguments: [String] = CommandLine.arguments, _ body: (inout PrefsConfigurationCheck) -> Void
    ) -> Int32? {
        guard let requested = RequestedCheck(of: self, arguments) else { return nil }
        var check = PrefsConfigurationCheck()
        body(&check)
        return requested.verdict(
            check.problems(of: requested.stack), check.warnings(about: requested.stack, besides: self))
    }

    /// Checks several configurations and keys of this stack together, with asynchronous checks.
    ///
    /// ```swift
    /// let status = await storage.checkConfiguration { check in
    ///     await check(Gateway(), rule: Gateway.rule, check: Gateway.check)
    ///     check(RateLimit(), at: "rateLimit", rule: RateLimit.rule)
    /// }
    /// ```
    ///
    /// A `check:` is called if its configuration has no other problem. It can find problems that the values alone do
    /// not show. Otherwise, this method works like the synchronous one.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the process.
    ///   - body: A closure that calls the check for each configuration and each list of keys.
    /// - Returns: The status to exit with, as from the synchronous method.
    @_disfavoredOverload
    public func checkConfiguration(
        arguments: [String] = CommandLine.arguments,
        _ body: (inout PrefsConfigurationCheck) async -> Void
    ) async -> Int32? {
        guard let requested = RequestedCheck(of: self, arguments) else { return nil }
        var check = PrefsConfigurationCheck()
        await body(&check)
        return requested.verdict(
            await check.problemsWithChecks(of: requested.stack),
            check.warnings(about: requested.stack, besides: self))
    }

    /// Returns the problems of the files, as they are now, and of the values of keys.
    ///
    /// Each problem has the layer, file, line and key.
    public func problems(of keys: [PrefsKeyDescription]) -> [PrefsError] {
        let copy = reopened(declaring: keys)
        return copy.problemsOfFiles + copy.rejectedValues.filter { $0.shadow == nil }.map(\.error)
    }

    /// Returns this stack, or a copy that declares some keys.
    fileprivate func declaring(_ keys: [PrefsKeyDescription]) -> PrefsStack {
        keys.isEmpty ? self : reopened(declaring: keys)
    }

    fileprivate func reopened(declaring keys: [PrefsKeyDescription]) -> PrefsStack {
        let copy = reopened()
        copy.declare(keys)
        return copy
    }

    /// Returns a warning for each stored key that neither this stack nor `names` declares. Unknown keys on the
    /// command line are left out, because they are problems.
    ///
    /// - Parameter paths: The paths to search. An empty path stands for all keys.
    fileprivate func undeclared(
        in snapshot: PrefsSnapshot, besides names: [PrefsKeyName] = [], _ elements: [ElementFields] = [],
        below paths: [String]
    ) -> [PrefsError] {
        var known = engine.state.withLock { $0.composition.known }
        for name in names { _ = known.insert(name, prefixes: []) }
        for element in elements { known.insert(element) }
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        return reporter.check(snapshot, against: known).filter { error in
            if isOfCommandLine(error) { return false }
            return paths.contains { path in
                path.isEmpty || error.key.map { PrefsPath(path).contains(PrefsPath($0)) } ?? false
            }
        }
    }

    fileprivate func print(_ problems: [PrefsError], _ warnings: [PrefsError]) {
        // Errors that were printed before the check began are not repeated.
        diagnostics.withdraw(problems)
        for problem in problems where !diagnostics.hasPrinted(problem) {
            Self.print("\(problem)", to: STDERR_FILENO)
        }
        for warning in warnings { Self.print("\(PrefsDiagnostic(.warning, warning))", to: STDERR_FILENO) }
        guard problems.isEmpty else { return }
        let count = warnings.count
        let remark = count == 0 ? "" : count == 1 ? ", with 1 warning" : ", with \(count) warnings"
        Self.print("The configuration is valid\(remark).", to: STDOUT_FILENO)
    }

    private static func print(_ line: String, to descriptor: CInt) {
        try? writeAll(Array("\(line.printable)\n".utf8), to: descriptor)
    }

    /// Creates a stack of files to check, below other layers. The files are not watched.
    fileprivate convenience init(
        checking files: [String], _ others: [PrefsLayer],
        _ report: @escaping @Sendable (PrefsDiagnostic) -> Void
    ) {
        var options = FilePrefsStorage.Options().unwatched
        options.diagnostics = PrefsDiagnosticHandler(report)
        let layers = files.enumerated().map { number, file in
            let name = number == 0 ? "file" : "file \(number + 1)"
            return PrefsLayer(PrefsLayer.Name(name), FilePrefsStorage(path: file, options: options))
        }
        self.init(coalescing: .standard, diagnostics: options.diagnostics, layers + others)
    }
}

/// A check of the configuration that the arguments of the process ask for.
private final class RequestedCheck: Sendable {
    /// The stack that is checked: the program's own stack, or a stack of the files that the arguments name.
    let stack: PrefsStack
    private let storage: PrefsStack
    private let asked: CheckingArgument
    private let warnings = WarningList()

    /// - Returns: `nil` if the arguments ask for no check, and in a set-uid process.
    init?(of storage: PrefsStack, _ arguments: [String]) {
        // Its caller would see the contents of files that only the program may read.
        if ProcessPrivilege.isRaised { return nil }
        guard let asked = CheckingArgument(arguments) else { return nil }
        (self.storage, self.asked) = (storage, asked)
        stack =
            asked.files.isEmpty
            ? storage
            : PrefsStack(
                checking: asked.files, storage.layers.filter { $0.storage is ArgumentsPrefsStorage },
                warnings.add)
    }

    /// Prints the result of the check, and returns the exit status. A missing file is a problem.
    func verdict(_ problems: [PrefsError], _ warnings: [PrefsError]) -> Int32 {
        let missing = asked.files.filter { unsafe access($0, F_OK) != 0 }.map(
            PrefsError.init(fileThatIsMissing:))
        let all = asked.problems + missing + problems
        storage.print(all, self.warnings.all + warnings)
        return all.isEmpty ? 0 : 1
    }
}

/// The warnings that a stack reports.
private final class WarningList: Sendable {
    private let state = Lock<[PrefsError]>([])

    var all: [PrefsError] { state.withLock { $0 } }

    /// Adds a warning; errors are among the problems.
    func add(_ diagnostic: PrefsDiagnostic) {
        if diagnostic.severity == .warning { state.withLock { $0.append(diagnostic.error) } }
    }
}
