public import PrefsDocuments

/// One stored value for a key, before the key's type has accepted or rejected it.
public struct PrefsCandidate: Sendable, Hashable {
    /// The stored value; a `.string` if ``isText`` is true.
    public var value: PrefsValue
    /// True if the layer holds text, such as an environment variable, which the key's type parses.
    public var isText: Bool
    /// The layer and the place within it that the value comes from.
    public var origin: PrefsOrigin
    /// The error that rejects this candidate for every type: something on the key's path is not a dictionary.
    public var rejection: PrefsError?
    /// A Boolean value that indicates whether ``description`` masks the value: it is, or contains, a value
    /// that a key of the storage declares as secret.
    public package(set) var isSecret = false

    /// Creates a candidate.
    public init(
        _ value: PrefsValue,
        isText: Bool = false,
        origin: PrefsOrigin = PrefsOrigin(),
        rejection: PrefsError? = nil
    ) {
        self.value = value
        self.isText = isText
        self.origin = origin
        self.rejection = rejection
    }
}

extension PrefsCandidate: CustomStringConvertible, CustomReflectable {
    /// `8080 (user /home/ada/.config/com.example.myd.plist:6)`, or `•••• (…)` for a secret.
    public var description: String { "\(shownValue) (\(origin))" }

    /// The properties, with a secret masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "value": shownValue, "isText": isText, "origin": origin, "rejection": rejection as Any,
            ], displayStyle: .struct)
    }

    private var shownValue: String { isSecret ? SecretPaths.mask : value.description }
}
