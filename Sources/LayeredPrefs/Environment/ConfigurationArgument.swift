import PrefsDocuments

/// The command-line argument that names the main file: `--config FILE` or `--config=FILE`.
struct ConfigurationArgument {
    static let flag = "--config"
    /// The argument that makes a program check its configuration.
    static let checkingFlag = "--check-config"

    /// The file; `nil` if no argument names one. If several arguments do, the last one counts.
    private(set) var file: String?
    /// The other arguments.
    private(set) var others: [String] = []
    /// The error of an argument that names no file.
    private(set) var problem: PrefsError?

    /// - Parameters:
    ///   - arguments: The arguments. Everything after `--` belongs to the program.
    ///   - undecodable: The arguments that are not UTF-8.
    init(_ arguments: [String], _ undecodable: UndecodableArguments = .ofProcess) {
        let flag = Self.flag
        var rest = arguments.prefix { $0 != "--" }[...]
        let end = arguments[rest.endIndex...]
        while let argument = rest.popFirst() {
            let name: String?
            var source = argument
            if argument == flag {
                name = rest.first?.hasPrefix("--") == false ? rest.popFirst() : nil
                source = name ?? argument
            } else if argument.hasPrefix(flag + "=") {
                name = String(argument.dropFirst(flag.count + 1))
            } else {
                others.append(argument)
                continue
            }
            if undecodable.contains(source) {
                problem = .notUTF8(spelling: flag)
            } else if let name, !name.isEmpty {
                file = name
            } else {
                problem = PrefsError(
                    .usage, origin: PrefsOrigin(spelling: flag),
                    reason: "expected a file, as in \(flag) FILE")
            }
        }
        others += end
    }
}
