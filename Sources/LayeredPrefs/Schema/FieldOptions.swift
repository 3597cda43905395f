import PrefsDocuments
import PrefsSystem

/// The options of a configuration's field by name, for fields that cannot have the wrapper ``Setting``.
///
/// ```swift
/// let relay = try Live(Relay(), storage, fields: ["auth.token": .secret])
/// ```
public struct FieldOptions: Sendable {
    /// The purpose of the field.
    public var documentation: String?
    /// A Boolean value that indicates whether the value is omitted from output, logs and exports that do not ask
    /// for it.
    public var isSecret = false
    /// A Boolean value that indicates whether some layer must set the field.
    public var isRequired = false
    /// A Boolean value that indicates whether a change takes effect only after a restart.
    ///
    /// Until the restart, ``Live/current`` keeps the value that the program started with.
    public var needsRestart = false
    /// The former names of the field, relative to its section.
    public var formerNames: [String] = []
    /// The environment variable of the field, instead of the one derived from its path.
    public var environmentName: String?
    /// The allowed values, as far as they can be listed.
    var limits: PrefsStoredType.Limits { makeLimits?() ?? PrefsStoredType.Limits() }
    // Computed only when the options are used, because a program may make many values of a type with wrappers.
    var makeLimits: (@Sendable () -> PrefsStoredType.Limits)?
    /// The requirement of `check` besides the limits, as a sentence; `nil` for nothing.
    var condition: String?
    /// The type of the values that `check` knows; `nil` for any.
    var checkedType: (any (Decodable & Sendable).Type)?
    /// Returns the reason for which a decoded value is rejected.
    var check: (@Sendable (Any) -> String?)?

    /// Creates the default options.
    public init() {}

    init(
        isSecret: Bool, isRequired: Bool = false, needsRestart: Bool = false, documentation: String? = nil,
        formerNames: [String] = [], environmentName: String? = nil
    ) {
        (self.isSecret, self.isRequired, self.needsRestart) = (isSecret, isRequired, needsRestart)
        (self.documentation, self.formerNames) = (documentation, formerNames)
        self.environmentName = environmentName
    }

    /// The options of a secret.
    public static var secret: Self { Self(isSecret: true) }

    /// The options of a field that some layer must set.
    public static var required: Self { Self(isSecret: false, isRequired: true) }
}

extension CodingUserInfoKey {
    /// The place of a value, at which an encoder of the default instance learns the options of its fields, and a decoder
    /// applies them.
    static let fieldPlace = unsafe CodingUserInfoKey(rawValue: "LayeredPrefs.fieldPlace").unsafelyUnwrapped
}

/// The place in a configuration of the value that an encoder encodes or a decoder decodes.
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
    /// The fields whose options are given by name.
    let named: Set<[String]>
    /// The places of the wrappers that the encoder of the present instance has met.
    private let met = Lock<[[String]]>([])

    /// Warnings about options that may be declared, and are not known.
    private let unlearned = Lock<[PrefsError]>([])

    /// - Parameter named: The options that are given by name, which count more than those of wrappers.
    init(named: [String: FieldOptions]) {
        let places = named.map { (PrefsPath($0.key).components, $0.value) }
        self.named = Set(places.map(\.0))
        options.withLock { $0 = Dictionary(places) { $1 } }
    }

    /// Notes the options of a wrapper, which the encoder meets at a path.
    func note(_ options: FieldOptions, at place: [String]) {
        met.withLock { $0.append(place) }
        if !named.contains(place) { self.options.withLock { $0[place] = options } }
    }

    /// Notes a warning about options that may be declared in a type at a path, unless some are given by name there.
    func noteUnlearned(_ warning: PrefsError, at path: [String]) {
        if !named.contains(where: { $0.starts(with: path) }) { unlearned.withLock { $0.append(warning) } }
    }

    /// Warnings about options that may be declared, and are not known.
    var warnings: [PrefsError] { unlearned.withLock { $0 } }

    /// Returns the stored form of an instance, and learns the options of its fields.
    ///
    /// - Parameter path: The path of the instance in the configuration.
    /// - Throws: ``PrefsError`` if it has no stored form, or if the `encode(to:)` of a type hides the options of a wrapper.
    func encoding(of instance: some Encodable, at path: [String] = []) throws -> PrefsValue? {
        var encoder = PrefsValueEncoder()
        encoder.userInfo[.fieldPlace] = FieldPlace(learned: self, path: path)
        encoder.rejectsRepeatedKeys = true
        met.withLock { $0 = [] }
        let type = "\(Swift.type(of: instance))"
        let stored: PrefsValue?
        do { stored = try encoder.encode(instance) } catch let EncodingError.invalidValue(_, context) {
            let place = type + context.codingPath.map { ".\($0.stringValue)" }.joined()
            throw PrefsError(
                .notEncodable,
                reason: "the default of \(place) has no stored form: \(context.debugDescription)")
        }
        if let hidden = hiddenWrapper(in: instance, called: type) {
            throw PrefsError(
                .notEncodable, key: hidden,
                reason:
                    "the encode(to:) of a type hides the options of a @Setting; encode every wrapped field in it,"
                    + " or give the options by name")
        }
        return stored
    }

    /// Returns a wrapper in an instance that the encoder has not met, and whose options are not given by name.
    private func hiddenWrapper(in instance: Any, called type: String) -> String? {
        let met = self.met.withLock { $0 }
        // A coding key may be another word than the property.
        var names = Dictionary(met.compactMap(\.last).map { ($0, 1) }, uniquingKeysWith: +)
        // Those of elements are the options of any number of wrappers.
        let places = named.subtracting(met).map { ($0.last ?? "", $0.contains("*") ? Int(Int32.max) : 1) }
        var given = Dictionary(places, uniquingKeysWith: +)
        var wrappers = DeclaredWrappers()
        wrappers.find(in: instance, called: type)
        let others = wrappers.found.filter { !names.take($0.name) && !given.take($0.name) }
        return others.count > names.values.reduce(0, +) ? others.first?.place : nil
    }

    /// The options of the fields at and below a path, by the rest of their paths.
    func options(below path: [String]) -> [[String]: FieldOptions] { options.withLock { $0.below(path) } }

    subscript(path: [String]) -> FieldOptions? { options.withLock { $0[path] } }

    /// The options of a field at a path, in which a name may stand for that of any entry of a dictionary. Of several
    /// paths that fit, the most specific one counts: the one that names more entries, or else the higher ones.
    subscript(path: [String], orAny _: Bool) -> FieldOptions? {
        options.withLock { options in Self.pattern(of: path, in: options).flatMap { options[$0] } }
    }

    /// Returns the path in which a name may stand for that of any entry, and whose options a field at a path has.
    func pattern(of path: [String]) -> [String]? { options.withLock { Self.pattern(of: path, in: $0) } }

    private static func pattern(of path: [String], in options: [[String]: FieldOptions]) -> [String]? {
        if options[path] != nil { return path }
        return options.keys.filter { pattern in
            pattern.count == path.count && zip(pattern, path).allSatisfy { $0 == "*" || $0 == $1 }
        }.min { isMoreSpecific($0, than: $1) }
    }

    /// Returns true if a pattern is more specific than another one for the same path.
    private static func isMoreSpecific(_ pattern: [String], than other: [String]) -> Bool {
        let counts = [pattern, other].map { names in names.count { $0 == "*" } }
        if counts[0] != counts[1] { return counts[0] < counts[1] }
        return zip(pattern, other).first { ($0 == "*") != ($1 == "*") }.map { $1 == "*" } ?? false
    }

    /// Returns a decoder that applies the options, for a value at a path.
    func decoder(below path: [String] = []) -> PrefsValueDecoder {
        var decoder = PrefsValueDecoder()
        decoder.userInfo[.fieldPlace] = FieldPlace(learned: self, path: path)
        return decoder
    }
}

extension [[String]: FieldOptions] {
    /// Returns the options at and below a path, by the rest of their paths.
    func below(_ path: [String]) -> Self {
        let found = filter { $0.key.starts(with: path) }
        return Self(uniqueKeysWithValues: found.map { (Array($0.key.dropFirst(path.count)), $0.value) })
    }
}

extension [String: Int] {
    /// Takes one of a number of things with a name; returns false if there is none left.
    fileprivate mutating func take(_ name: String) -> Bool {
        guard let count = self[name], count > 0 else { return false }
        self[name] = count - 1
        return true
    }
}

/// The wrappers in an instance, whatever its type encodes.
private struct DeclaredWrappers {
    private(set) var found: [(name: String, place: String)] = []
    private var objects: Set<ObjectIdentifier> = []

    mutating func find(in instance: Any, called place: String, depth: Int = 0) {
        // Deeper ones, such as in a list of nodes, repeat the same types.
        guard depth < 64 else { return }
        if type(of: instance) is AnyClass {
            guard objects.insert(ObjectIdentifier(instance as AnyObject)).inserted else { return }
        }
        var mirror: Mirror? = Mirror(reflecting: instance)
        while let present = mirror {
            for child in present.children {
                let label = child.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }
                let inner = label.map { "\(place).\($0)" } ?? place
                guard let wrapper = child.value as? any FieldWrapper else {
                    find(in: child.value, called: inner, depth: depth + 1)
                    continue
                }
                found.append((label ?? "", inner))
                find(in: wrapper.anyValue, called: inner, depth: depth + 1)
            }
            mirror = present.superclassMirror
        }
    }
}
