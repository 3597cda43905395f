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
    /// The environment variable of the field, instead of the name that is derived from its path.
    public var environmentName: String?
    /// The allowed values, as far as they can be listed.
    var limits: PrefsStoredType.Limits { makeLimits?() ?? PrefsStoredType.Limits() }
    // Computed only when the options are used, because a program may make many values of a type with wrappers.
    var makeLimits: (@Sendable () -> PrefsStoredType.Limits)?
    /// The requirement of `check` besides the limits, as a sentence; `nil` for nothing.
    var condition: String?
    /// The type of the values that `check` can check; `nil` for any.
    var checkedType: (any (Decodable & Sendable).Type)?
    /// Returns the reason to reject a decoded value.
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
    /// The place of a value. An encoder of the default instance learns the options of the fields there, and a
    /// decoder applies them.
    static let fieldPlace = unsafe CodingUserInfoKey(rawValue: "LayeredPrefs.fieldPlace").unsafelyUnwrapped
}

/// The place of an encoded or decoded value in a configuration.
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
    private let options = Lock(OptionTree())
    /// The fields whose options are given by name.
    let named: Set<[String]>
    /// The places of the wrappers that the encoder has met in the present instance.
    private let met = Lock<[[String]]>([])

    /// Warnings about options that may be declared, but are not known.
    private let unlearned = Lock<[PrefsError]>([])

    /// - Parameter named: The options that are given by name. They override the options of wrappers.
    init(named: [String: FieldOptions]) {
        let places = named.map { (PrefsPath($0.key).components, $0.value) }
        self.named = Set(places.map(\.0))
        options.withLock { options in
            for (place, given) in places { options.set(given, at: place[...]) }
        }
    }

    /// Notes the options of a wrapper, which the encoder meets at a path.
    func note(_ options: FieldOptions, at place: [String]) {
        met.withLock { $0.append(place) }
        if !named.contains(place) { self.options.withLock { $0.set(options, at: place[...]) } }
    }

    /// Notes a warning about options that may be declared in a type at a path, unless some are given by name there.
    func noteUnlearned(_ warning: PrefsError, at path: [String]) {
        if !named.contains(where: { $0.starts(with: path) }) { unlearned.withLock { $0.append(warning) } }
    }

    /// Warnings about options that may be declared, but are not known.
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

    /// Returns the place of a wrapper that the encoder has not met, and whose options are not given by name; `nil`
    /// if there is none.
    private func hiddenWrapper(in instance: Any, called type: String) -> String? {
        let met = self.met.withLock { $0 }
        // A coding key may differ from the name of its property.
        var names = Dictionary(met.compactMap(\.last).map { ($0, 1) }, uniquingKeysWith: +)
        // The options of elements may belong to any number of wrappers.
        let places = named.subtracting(met).map { ($0.last ?? "", $0.contains("*") ? Int(Int32.max) : 1) }
        var given = Dictionary(places, uniquingKeysWith: +)
        var wrappers = DeclaredWrappers()
        wrappers.find(in: instance, called: type)
        let others = wrappers.found.filter { !names.take($0.name) && !given.take($0.name) }
        return others.count > names.values.reduce(0, +) ? others.first?.place : nil
    }

    /// The options of the fields at and below a path, by the rest of their paths.
    func options(below path: [String]) -> OptionTree { options.withLock { $0[path[...]] } ?? OptionTree() }

    subscript(path: [String]) -> FieldOptions? { options.withLock { $0[path[...]]?.options } }

    /// The options of a field at a path. `*` in the path of options matches any entry of a dictionary. If several
    /// paths match, the most specific one counts: the path that names more entries, or else the higher ones.
    subscript(path: [String], orAny _: Bool) -> FieldOptions? {
        options.withLock { options in
            options.pattern(of: path[...]).flatMap { options[$0.path[...]]?.options }
        }
    }

    /// Returns the path of the options that the field at a path has. `*` in it stands for any entry.
    func pattern(of path: [String]) -> [String]? { options.withLock { $0.pattern(of: path[...])?.path } }

    /// Returns a decoder that applies the options, for a value at a path.
    func decoder(below path: [String] = []) -> PrefsValueDecoder {
        var decoder = PrefsValueDecoder()
        decoder.userInfo[.fieldPlace] = FieldPlace(learned: self, path: path)
        return decoder
    }
}

/// The options of fields by path. A lookup does not search other fields.
struct OptionTree: Sendable {
    /// The options of the field itself.
    private(set) var options: FieldOptions?
    private var parts: [String: OptionTree] = [:]

    var isEmpty: Bool { options == nil && parts.isEmpty }

    mutating func set(_ new: FieldOptions, at path: ArraySlice<String>) {
        guard let name = path.first else { return options = new }
        parts[name, default: OptionTree()].set(new, at: path.dropFirst())
    }

    /// The options of a part and of its inner fields.
    subscript(part name: String) -> OptionTree { parts[name] ?? OptionTree() }

    /// The options at and below a path; `nil` if there are none.
    subscript(path: ArraySlice<String>) -> OptionTree? {
        guard let name = path.first else { return self }
        return parts[name]?[path.dropFirst()]
    }

    /// All options, by path.
    var all: [[String]: FieldOptions] {
        var found: [[String]: FieldOptions] = [:]
        collect(at: [], into: &found)
        return found
    }

    private func collect(at path: [String], into found: inout [[String]: FieldOptions]) {
        found[path] = options
        for (name, part) in parts { part.collect(at: path + [name], into: &found) }
    }

    /// Returns the most specific path with options that matches another path, and the number of `*` in it.
    func pattern(of path: ArraySlice<String>) -> (path: [String], count: Int)? {
        guard let name = path.first else { return options == nil ? nil : ([], 0) }
        func pattern(through part: String) -> (path: [String], count: Int)? {
            parts[part]?.pattern(of: path.dropFirst()).map { rest in
                ([part] + rest.path, rest.count + (part == "*" ? 1 : 0))
            }
        }
        let (named, any) = (pattern(through: name), name == "*" ? nil : pattern(through: "*"))
        guard let named, let any else { return named ?? any }
        return any.count < named.count ? any : named
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
    /// Takes one from the count of a name. Returns false if nothing is left.
    fileprivate mutating func take(_ name: String) -> Bool {
        guard let count = self[name], count > 0 else { return false }
        self[name] = count - 1
        return true
    }
}

/// The wrappers in an instance, including the wrappers that its type does not encode.
private struct DeclaredWrappers {
    private(set) var found: [(name: String, place: String)] = []
    private var objects: Set<ObjectIdentifier> = []

    mutating func find(in instance: Any, called place: String, depth: Int = 0) {
        // Deeper values, such as the nodes of a list, repeat the same types.
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
