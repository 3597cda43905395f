/// The arguments of this process that are not UTF-8.
///
/// The language repairs such an argument: each sequence of bytes that is none becomes U+FFFD. The library uses no
/// repaired argument, because nobody has written it.
struct UndecodableArguments: Sendable {
    /// Those of this process.
    static let ofProcess = Self(
        (0..<Int(CommandLine.argc)).compactMap { index in
            guard let bytes = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe String(validatingCString: bytes) == nil ? unsafe String(cString: bytes) : nil
        })

    private let repaired: Set<String>

    /// - Parameter repaired: The arguments, as they were repaired.
    init(_ repaired: [String]) { self.repaired = Set(repaired) }

    /// Returns true if an argument was repaired.
    func contains(_ argument: String) -> Bool { !repaired.isEmpty && repaired.contains(argument) }
}

extension PrefsError {
    /// The error of an argument that is not UTF-8, without its text, which may be a secret.
    ///
    /// - Parameters:
    ///   - spelling: The flag, as it is spelled.
    ///   - key: The key that it sets, if it sets one.
    static func notUTF8(spelling: String, key: String? = nil) -> PrefsError {
        PrefsError(
            .usage, key: key, origin: PrefsOrigin(spelling: spelling),
            reason: "expected UTF-8, found other bytes")
    }
}
