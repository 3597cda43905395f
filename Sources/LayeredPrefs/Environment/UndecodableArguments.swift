/// The arguments of this process that are not UTF-8.
///
/// Swift repairs such an argument: each sequence of bytes that is not UTF-8 becomes U+FFFD. The library uses
/// no repaired argument, because nobody has written it.
struct UndecodableArguments: Sendable {
    /// The arguments of this process.
    static let ofProcess = Self(
        (0..<Int(CommandLine.argc)).compactMap { index in
            guard let bytes = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe String(validatingCString: bytes) == nil ? unsafe String(cString: bytes) : nil
        })

    private let repaired: Set<String>

    /// - Parameter repaired: The arguments in their repaired form.
    init(_ repaired: [String]) { self.repaired = Set(repaired) }

    /// Returns true if an argument was repaired.
    func contains(_ argument: String) -> Bool { !repaired.isEmpty && repaired.contains(argument) }
}

extension PrefsError {
    /// The error of an argument that is not UTF-8, without its text, which may be a secret.
    ///
    /// - Parameters:
    ///   - spelling: The flag, as the command line spells it.
    ///   - key: The key that the argument sets, if it sets one.
    static func notUTF8(spelling: String, key: String? = nil) -> PrefsError {
        PrefsError(
            .usage, key: key, origin: PrefsOrigin(spelling: spelling),
            reason: "expected UTF-8, found other bytes")
    }
}
