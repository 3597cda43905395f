public import PrefsDocuments
/// A declared preference, whatever its type: what an administrator, a document or a tool needs to know.
public struct PrefsKeyDescription: Sendable {
    /// The name or dotted path under which the value is stored.
    public internal(set) var name: String
    /// The Swift type, as the declaration spells it; empty where it is inferred.
    public let swiftType: String
    /// What a file has to hold.
    public let storedType: PrefsStoredType
    /// The stored form of the default; `nil` where the value is optional.
    public let defaultValue: PrefsValue?
    /// The declaration's documentation comment.
    public let documentation: String?
    /// The environment variable, where the declaration names one.
    public let declaredEnvironmentName: String?
    /// Which values are allowed.
    public let limits: PrefsKeyLimits
    /// The condition of `validate:`, as it is written.
    public let validation: String?
    /// Whether the value is kept out of whatever is shown to people.
    public let isSecret: Bool
    /// Names the key had.
    public internal(set) var formerNames: [String]
    /// Whether the dictionaries of all layers merge, instead of the topmost replacing the rest.
    public let mergesDeeply: Bool
    /// Whether a change takes effect only after a restart.
    public let needsRestart: Bool

    /// The path of the group that the key is declared in.
    var path = ""
    let read: @Sendable (PrefsCandidate) -> PrefsError?
    /// Declares the typed key, under a path, to a stack.
    let declare: @Sendable (LayeredPrefsStorage, String) -> Void

    /// The environment variable that sets the key, in a program whose variables begin with `prefix`.
    public func environmentName(prefix: String) -> String {
        declaredEnvironmentName ?? EnvironmentName.name(forKey: name, prefix: prefix)
    }

    /// Every name under which the value may be stored.
    public var names: PrefsKeyName {
        PrefsKeyName(name, formerNames: formerNames, environmentName: declaredEnvironmentName)
    }

    /// Why a stored value cannot be this key's, or `nil` when it can.
    public func refusal(of candidate: PrefsCandidate) -> PrefsError? {
        guard var error = read(candidate) else { return nil }
        error.key = name
        return error
    }
}

/// Which values a key allows, as far as that can be listed.
public struct PrefsKeyLimits: Sendable, Hashable {
    /// The least value.
    public var minimum: PrefsValue?
    /// The greatest value, or the first that is too great.
    public var maximum: PrefsValue?
    /// Whether ``maximum`` itself is too great.
    public var excludesMaximum = false
    /// All values there are, for enums that list them.
    public var values: [PrefsValue]?

    public init() {}
}

extension PrefsKeyLimits: CustomStringConvertible {
    /// `1...65535`, `0..<1`, `1...`, or the values in a row; empty where everything is allowed.
    public var description: String {
        if let values { return values.map(\.description).joined(separator: ", ") }
        if minimum == nil, maximum == nil { return "" }
        let dots = excludesMaximum ? "..<" : "..."
        return [minimum?.description ?? "", maximum?.description ?? ""].joined(separator: dots)
    }
}
