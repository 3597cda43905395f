package import PrefsDocuments

/// The paths of secrets under all their names. This type alone decides which values may be shown.
///
/// With the secret `auth.token`, formerly `token`:
///
/// | path              | contains | shown as                            |
/// |-------------------|----------|-------------------------------------|
/// | `auth.token`      | a secret | `••••`                              |
/// | `auth.token.part` | a part   | `••••`                              |
/// | `token`           | a secret | `••••`                              |
/// | `auth`            | a secret | `{"token": "••••", "user": "ada"}`  |
/// | `auth.user`       | nothing  | `"ada"`                             |
package struct SecretPaths: Sendable, Hashable {
    /// The text that is shown instead of a secret.
    package static let mask = "••••"

    private var paths: Set<[String]> = []
    /// The first steps of the paths, which rule out nearly every other key at once.
    private var tops: Set<String> = []
    /// The paths of the dictionaries that contain secrets.
    private var ancestors: Set<[String]> = []

    /// True if every name that suggests a secret counts as one, because no schema declares the secrets.
    private let suspectsNames: Bool

    package init() { self.init(suspectsNames: false) }

    private init(suspectsNames: Bool) { self.suspectsNames = suspectsNames }

    /// The secrets of a program whose keys are not known: every name that suggests a secret.
    package static let suspected = SecretPaths(suspectsNames: true)

    package var isEmpty: Bool { paths.isEmpty && !suspectsNames }

    /// Adds a key's names, if it is secret.
    package mutating func insert(_ name: PrefsKeyName) {
        guard name.isSecret else { return }
        for path in name.paths {
            let steps = path.steps
            paths.insert(steps)
            tops.insert(steps[0])
            for depth in 0..<steps.count { ancestors.insert(Array(steps.prefix(depth))) }
        }
    }

    package mutating func formUnion(_ other: SecretPaths) {
        if other.isEmpty { return }
        paths.formUnion(other.paths)
        tops.formUnion(other.tops)
        ancestors.formUnion(other.ancestors)
    }

    /// Returns true if the value at a path is a secret or part of one.
    package func covers(_ path: PrefsPath) -> Bool { covers(path.steps) }

    /// Returns true if a secret's path ends in a name.
    package func areNamed(_ name: String) -> Bool { paths.contains { $0.last == name } }

    /// Returns true if the value at a path is a secret, part of one, or a dictionary that may contain one.
    package func touches(_ path: PrefsPath) -> Bool {
        if isEmpty { return false }
        let steps = path.steps
        guard tops.contains(steps[0]) || suspectsNames else { return false }
        return ancestors.contains(steps) || covers(steps)
    }

    private func covers(_ steps: [String]) -> Bool {
        if suspectsNames, steps.contains(where: \.suggestsSecret) { return true }
        guard let top = steps.first, tops.contains(top) else { return false }
        return (1...steps.count).contains { paths.contains(Array(steps.prefix($0))) }
    }
}

extension SecretPaths {
    /// Returns a value with every secret in it replaced by ``mask``.
    ///
    /// - Parameter path: The value's path; `nil` for a storage's whole contents.
    package func masking(_ value: PrefsValue, at path: PrefsPath?) -> PrefsValue {
        replacing(value, at: path?.steps ?? [], with: .string(Self.mask)) ?? value
    }

    /// Returns a value without the secrets in it, or `nil` if it is a secret itself or part of one.
    ///
    /// - Parameter path: The value's path; `nil` for a storage's whole contents.
    package func removing(from value: PrefsValue, at path: PrefsPath?) -> PrefsValue? {
        replacing(value, at: path?.steps ?? [], with: nil)
    }

    private func replacing(_ value: PrefsValue, at steps: [String], with mask: PrefsValue?) -> PrefsValue? {
        if covers(steps) { return mask }
        if suspectsNames, case .array(let elements) = value {
            return .array(elements.map { replacing($0, at: [], with: mask) ?? $0 })
        }
        guard suspectsNames || ancestors.contains(steps), case .dictionary(let content) = value else {
            return value
        }
        var shown: [String: PrefsValue] = [:]
        for (key, child) in content {
            shown[key] = replacing(child, at: steps + PrefsPath(components: [key]).steps, with: mask)
        }
        // A dictionary that contained only secrets would reveal that there is a secret.
        return mask == nil && shown.isEmpty && !content.isEmpty && !steps.isEmpty ? nil : .dictionary(shown)
    }
}

extension SecretPaths {
    /// Returns a sentence of the program with the texts of some secrets masked.
    package static func masking(_ secrets: [PrefsValue], in words: String) -> String {
        let texts = secrets.reduce(into: Set()) { $0.formUnion($1.texts) }
        // A longer text may contain a shorter one.
        return texts.sorted { $0.utf8.count > $1.utf8.count }.reduce(words) { $0.replacing($1, with: mask) }
    }
}

extension PrefsValue {
    /// The texts in the value that are not empty.
    var texts: Set<String> {
        switch self {
        case .string(let text): text.isEmpty ? [] : [text]
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.texts) }
        case .dictionary(let content): content.values.reduce(into: []) { $0.formUnion($1.texts) }
        default: []
        }
    }
}

extension String {
    /// True if the name of a key suggests that its value is a secret: `dbPassword`, `dbpass`, `api_key`, `token`.
    ///
    /// Compares bytes, because the tool asks for every key of every file.
    var suggestsSecret: Bool {
        let letters = utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let names = letters.indices.contains { start in
            SecretNames.initials.contains(letters[start])
                && SecretNames.parts.contains { letters[start...].starts(with: $0) }
        }
        if names { return true }
        if letters.hasSuffix("pass") { return !SecretNames.others.contains { letters.hasSuffix($0) } }
        // A name that ends in “key” counts only if “key” is a word of its own: not `monkey`.
        guard letters.hasSuffix("key"), !letters.starts(with: "public".utf8) else { return false }
        return dropLast(3).last.map { !$0.isLetter } ?? true || hasSuffix("Key") || hasSuffix("KEY")
    }
}

/// The words that suggest a secret.
private enum SecretNames {
    /// The words that may be anywhere in a name.
    static let parts = [
        "password", "passwd", "passphrase", "pwd", "secret", "token", "credential", "apikey", "privatekey",
    ].map { Array($0.utf8) }

    static let initials = Set(parts.map { $0[0] })

    /// The words that end in “pass”, but have nothing to do with a password.
    static let others = ["bypass", "compass", "highpass", "lowpass", "bandpass"]
}

extension [UInt8] {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension PrefsPath {
    /// The names between dots, even if a component is a literal key with dots. `auth.token` in `auth` and the
    /// literal key `auth.token` are the same secret, and so is the literal `token.x` in `auth`.
    ///
    /// Never empty: a name that consists only of dots is one step.
    fileprivate var steps: [String] {
        guard components.contains(where: { $0.utf8.contains(UInt8(ascii: ".")) }) else { return components }
        let steps = components.flatMap { $0.split(separator: ".").map(String.init) }
        return steps.isEmpty ? components : steps
    }
}
