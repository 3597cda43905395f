public import PrefsDocuments

/// A type-erased description of a declared preference, for administrators, generated documents and tools.
public struct PrefsKeyDescription: Sendable {
    /// The name or dotted path of the stored value.
    public internal(set) var name: String
    /// The Swift type as spelled in the declaration, or an empty string if it is inferred.
    public let swiftType: String
    /// The type that a file must hold.
    public package(set) var storedType: PrefsStoredType {
        get { lazyType.value }
        set { lazyType = Lazy { newValue } }
    }
    /// The stored form of the default, or `nil` if the value is optional.
    public let defaultValue: PrefsValue?
    /// The declaration's documentation comment.
    public let documentation: String?
    /// The environment variable, if the declaration names one.
    public let declaredEnvironmentName: String?
    /// The allowed values.
    public package(set) var limits: PrefsStoredType.Limits
    /// The validation's requirement besides ``limits``, as a sentence, or `nil` if there is none.
    public let validation: String?
    /// A Boolean value that indicates whether the value must not appear in anything shown to people.
    public let isSecret: Bool
    /// The former names of the key.
    public internal(set) var formerNames: [String]
    /// A Boolean value that indicates whether the dictionaries of all layers are merged.
    ///
    /// If it is false, the topmost dictionary replaces the others.
    public let mergesDeeply: Bool
    /// A Boolean value that indicates whether a change takes effect only after a restart.
    public let needsRestart: Bool
    /// A Boolean value that indicates whether some layer must set the key.
    ///
    /// A program with a ``Live`` configuration does not start without a required key.
    public package(set) var isRequired = false

    /// The section around the key that the default of its configuration does not contain.
    package var section: Section?

    /// The coding of the values; `nil` for a field of a struct.
    package internal(set) var coding: (any PrefsCoding)?

    /// A part of a configuration that is `nil` by default.
    package struct Section: Sendable {
        /// The path of the section.
        package let name: String
        /// The stored form of the key's default, which holds if the section is present.
        package let defaultValue: PrefsValue?
        /// Returns true if the section is present.
        let isPresent: @Sendable (PrefsSnapshot) -> Bool

        func defaultValue(in snapshot: PrefsSnapshot) -> PrefsValue? {
            defaultValue != nil && isPresent(snapshot) ? defaultValue : nil
        }
    }

    /// The path of the group that declares the key.
    var path = ""
    /// The fields of a struct, with names that are relative to the key's.
    package var relativeFields: [PrefsKeyDescription] { lazyFields?.value ?? [] }
    /// Finds the fields of a struct.
    var lazyFields: Lazy<[PrefsKeyDescription]>?
    /// Finds the parsers of a struct's fields, and parses an entry of a dictionary, as in ``PrefsKeyName``.
    var textFields: (@Sendable () -> [PrefsKeyName.TextField])?
    var parseEntry: (@Sendable (_ path: [String], _ text: String) -> PrefsValue)?
    /// Finds the stored type. For a collection of structs, this decodes the structs.
    var lazyType: Lazy<PrefsStoredType>
    /// Returns the error if the key rejects a candidate, or `nil` if it accepts the candidate.
    let read: @Sendable (PrefsCandidate) -> PrefsError?
    /// Declares the typed key, below a path, to a stack.
    let declare: @Sendable (PrefsStack, String) -> Void
    /// The typed key's operations on stored forms.
    let stored: StoredAccess

    /// The operations of a typed key, with every value in its stored form.
    struct StoredAccess: Sendable {
        typealias Body = @Sendable (PrefsChange<PrefsValue?>) -> Void

        /// Observes the key, below a path.
        let observe: @Sendable (PrefsStack, String, @escaping Body) -> PrefsObservation
        /// Returns the effective value of the key, below a path.
        let value: @Sendable (PrefsSnapshot, String) -> PrefsValue?
        /// Returns the resolution of the key, below a path; for a field, with the origin of the whole struct.
        let resolution: @Sendable (PrefsSnapshot, String) -> PrefsResolution<PrefsValue?>
        /// Parses text as the command line and the environment do; `nil` if the text is not a value of the type.
        let parse: @Sendable (String) -> PrefsValue?
    }

    /// Returns the environment variable that sets the key in a program whose variables begin with `prefix`.
    public func environmentName(prefix: String) -> String {
        declaredEnvironmentName ?? EnvironmentName.name(forKey: name, prefix: prefix)
    }

    /// Every name under which the value may be stored.
    package var names: PrefsKeyName {
        var names = namesOfAnyType
        names.isBoolean = storedType.isBoolean
        return names
    }

    /// Every name under which the value may be stored, found without running the program's code.
    var namesOfAnyType: PrefsKeyName {
        var names = PrefsKeyName(
            name, formerNames: formerNames, environmentName: declaredEnvironmentName, isSecret: isSecret,
            mayBeDictionary: { [lazyType] in lazyType.value.mayBeDictionary })
        (names.fields, names.parseEntry) = (textFields, parseEntry)
        return names
    }

    /// Checks whether this key accepts a stored value.
    ///
    /// - Returns: The reason why the key rejects the value, or `nil` if the key accepts it. The error's
    ///   ``PrefsError/key`` is ``name``, or a part of it such as `routes[2].host`.
    public func rejection(of candidate: PrefsCandidate) -> PrefsError? {
        guard var error = read(candidate) else { return nil }
        // The key within its group, perhaps followed by the part of the value that is wrong.
        let local = path.isEmpty ? name[...] : name.dropFirst(path.count + 1)
        let part = error.key.flatMap { $0.hasPrefix(local) ? $0.dropFirst(local.count) : nil } ?? ""
        error.key = name + part
        return error
    }
}

extension PrefsKeyDescription.Section {
    /// Creates a section that supplies no default.
    package init(name: String) { self.init(name: name, defaultValue: nil) { _ in false } }
}

/// A class that lists the preferences it declares.
public protocol PrefsDeclaring: AnyObject {
    /// Every preference that the class or one of its groups declares, in the order of declaration.
    static var keys: [PrefsKeyDescription] { get }
}

extension PrefsStack {
    /// Declares the keys of a schema with their fields.
    func declare(_ keys: [PrefsKeyDescription]) {
        for key in keys { note(fields: key.fields.map(\.names), of: key.name) }
        declare(keys.map(\.names))
        for key in keys { key.declare(self, key.path) }
    }

    /// Declares the keys of a schema, `Prefs.keys`, and checks the arguments on the command line.
    ///
    /// An argument is wrong if it sets no declared key, or if its key rejects the value; see ``checkArguments()``.
    ///
    /// - Throws: ``PrefsError`` with the code `usage` for a wrong argument. Its ``PrefsError/exitStatus`` is
    ///   64.
    public func checkArguments(of keys: [PrefsKeyDescription]) throws {
        declare(keys)
        try checkArguments()
    }
}
