import PrefsDocuments
import PrefsSystem

/// The options of a field of a configuration, by name, for fields that cannot have the wrapper ``Setting``.
///
/// ```swift
/// let relay = try Live(Relay(), storage, fields: ["auth.token": .secret])
/// ```
public struct FieldOptions: Sendable {
    /// The purpose of the field.
    public var documentation: String?
    /// True if the value is omitted from output, logs and exports that do not ask for it.
    public var isSecret = false
    /// True if some layer has to set the field.
    public var isRequired = false
    /// True if a change takes effect only after a restart: until then, ``Live/current`` keeps the value with which the
    /// program started.
    public var needsRestart = false
    /// Former names of the field, relative to its section.
    public var formerNames: [String] = []
    /// The environment variable, in place of the one derived from the field's path.
    public var environmentName: String?
    /// The allowed values, as far as they can be listed.
    var limits = PrefsStoredType.Limits()
    /// The requirement of `check` besides the limits, as a sentence; `nil` for nothing.
    var condition: String?
    /// Returns the reason for which a decoded value is rejected.
    var check: (@Sendable (Any) -> String?)?

    /// Creates options that say nothing.
    public init() {}

    /// The options of a secret.
    public static var secret: Self {
        var options = Self()
        options.isSecret = true
        return options
    }

    /// The options of a field that some layer has to set.
    public static var required: Self {
        var options = Self()
        options.isRequired = true
        return options
    }

    func complaint(about value: Any) -> String? { check?(value) }
}

extension CodingUserInfoKey {
    /// The options of the fields, which an encoder of the default instance learns and a decoder applies.
    static let learnedFields = unsafe CodingUserInfoKey(rawValue: "LayeredPrefs.learnedFields")
        .unsafelyUnwrapped
    /// The options that a decoder applies.
    static let fieldPlace = unsafe CodingUserInfoKey(rawValue: "LayeredPrefs.fieldPlace").unsafelyUnwrapped
}

/// The place in a configuration of the value that a decoder decodes.
struct FieldPlace: Sendable {
    let learned: LearnedFields
    let path: [String]

    /// Returns the options of a field, by its place in the value.
    func options(at place: [any CodingKey]) -> FieldOptions? {
        learned[path + place.map { $0.intValue == nil ? $0.stringValue : "*" }, orAny: true]
    }
}

/// The options of a configuration's fields by path. An array's elements and a dictionary's values have the path `*`.
final class LearnedFields: Sendable {
    private let options = Lock<[[String]: FieldOptions]>([:])
    private let prefix = Lock<[String]>([])

    /// Notes the options of a field, which the encoder meets at a path.
    func note(_ options: FieldOptions, at path: [any CodingKey]) {
        let place = prefix.withLock { $0 } + path.map(\.stringValue)
        self.options.withLock { $0[place] = options }
    }

    /// Notes options that are given by name.
    func note(_ options: FieldOptions, at path: [String]) { self.options.withLock { $0[path] = options } }

    /// Learns what is encoded below a path.
    func learning(below path: [String], _ body: () -> Void) {
        let before = prefix.withLock { prefix in
            defer { prefix = path }
            return prefix
        }
        body()
        prefix.withLock { $0 = before }
    }

    /// The paths with options.
    var paths: [[String]] { options.withLock { Array($0.keys) } }

    /// The options of the fields below a path, by the rest of their paths.
    func options(below path: [String]) -> [[String]: FieldOptions] {
        options.withLock { options in
            var below: [[String]: FieldOptions] = [:]
            for (place, value) in options where place.count > path.count && place.starts(with: path) {
                below[Array(place.dropFirst(path.count))] = value
            }
            return below
        }
    }

    subscript(path: [String]) -> FieldOptions? { options.withLock { $0[path] } }

    /// The options of a field at a path, in which a name may stand for that of any entry of a dictionary.
    subscript(path: [String], orAny _: Bool) -> FieldOptions? {
        options.withLock { options in
            options[path]
                ?? options.first { pattern, _ in
                    pattern.count == path.count && zip(pattern, path).allSatisfy { $0 == "*" || $0 == $1 }
                }?.value
        }
    }

    /// Returns a decoder that applies the options, for a value at a path.
    func decoder(below path: [String] = []) -> PrefsValueDecoder {
        var decoder = PrefsValueDecoder()
        decoder.userInfo[.fieldPlace] = FieldPlace(learned: self, path: path)
        return decoder
    }
}
