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
    /// The node of the value in its file, which knows the position of each part.
    @Uncompared private var document: PrefsNode?

    /// Creates a candidate.
    public init(
        _ value: PrefsValue,
        isText: Bool = false,
        origin: PrefsOrigin = PrefsOrigin(),
        rejection: PrefsError? = nil
    ) {
        self.init(value, isText: isText, origin: origin, rejection: rejection, isSecret: false, node: nil)
    }

    /// - Parameter node: The value in its file.
    init(
        _ value: PrefsValue, isText: Bool, origin: PrefsOrigin, rejection: PrefsError?, isSecret: Bool,
        node: PrefsNode?
    ) {
        self.value = value
        self.isText = isText
        self.origin = origin
        self.rejection = rejection
        self.isSecret = isSecret
        document = node
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

extension PrefsCandidate {
    /// Returns the origin of a part of the value, with the part's own line if it is known.
    package func origin(ofPartAt path: [PrefsMismatch.Step]) -> PrefsOrigin {
        var origin = origin
        var node = document
        for step in path {
            switch step {
            case .key(let name): node = node.flatMap { $0.kind == .dictionary ? $0[name] : nil }
            case .index(let index):
                node = node.flatMap { Array($0.elements.prefix(index + 1)).dropFirst(index).first }
            }
            guard let position = node?.position else { return origin }
            origin.position = position
        }
        return origin
    }
}

/// A value that does not take part in comparisons.
@propertyWrapper
struct Uncompared<Value: Sendable>: Sendable, Hashable {
    var wrappedValue: Value

    static func == (lhs: Self, rhs: Self) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
