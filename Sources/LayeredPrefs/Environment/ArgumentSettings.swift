import PrefsDocuments

/// The settings on a command line: `--set key=value` or `--set=key=value`.
struct ArgumentSettings {
    /// The texts by key. If a key is set several times, the last text counts.
    private(set) var values: [String: PrefsValue] = [:]
    /// The keys, in order, each once.
    private(set) var keys: [String] = []
    /// The names of all options, `--name` or `--name=text`, whether they belong to the program or to the library.
    private(set) var options: [String] = []
    /// The errors of settings that set no key.
    private(set) var problems: [PrefsError] = []

    private let undecodable: UndecodableArguments

    /// - Parameters:
    ///   - arguments: The arguments. Everything after `--` belongs to the program and is ignored.
    ///   - undecodable: The arguments that are not UTF-8.
    init(_ arguments: [String], _ undecodable: UndecodableArguments) {
        self.undecodable = undecodable
        let flag = "--set"
        var rest = arguments.prefix { $0 != "--" }[...]
        while let argument = rest.popFirst() {
            if argument.hasPrefix("--") {
                options.append(
                    String(decoding: argument.utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self))
            }
            if argument == flag {
                let setting = rest.popFirst()
                add(setting, of: setting)
            } else if argument.hasPrefix("\(flag)=") {
                add(String(argument.dropFirst(flag.count + 1)), of: argument)
            }
        }
    }

    /// - Parameter argument: The argument that contains the setting.
    private mutating func add(_ setting: String?, of argument: String?) {
        guard let setting else { return reject("nothing") }
        // Bytes, because finding the characters of a hostile text takes longer than its length.
        guard let equals = setting.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return reject("no equals sign")
        }
        let key = setting[..<equals]
        if key.isEmpty { return reject("no key") }
        let (length, limit) = (key.utf8.count, PrefsLimits.standard.keyLength)
        if length > limit { return reject("a key of \(length) bytes; the limit is \(limit)") }
        if let argument, undecodable.contains(argument) {
            return problems.append(.notUTF8(spelling: "--set", key: String(key)))
        }
        if values[String(key)] == nil { keys.append(String(key)) }
        values[String(key)] = .string(String(setting[setting.utf8.index(after: equals)...]))
    }

    /// - Parameter found: A description of the wrong argument, without its text, which may be a secret.
    private mutating func reject(_ found: String) {
        problems.append(
            PrefsError(
                .usage, origin: PrefsOrigin(spelling: "--set"),
                reason: "expected a key and its value, as in --set KEY=VALUE, found \(found)"))
    }
}
