import PrefsDocuments

/// A value with its place in a source and in the stack; every lookup results in these.
///
/// A lookup has three steps: the contents of each source produce a located value, the snapshot's rules reject
/// it or change it, and the key's type decodes the resulting ``candidate``.
struct LocatedValue {
    /// The value.
    var value: PrefsValue
    /// True if the value is text, which the key's type parses.
    var isText: Bool
    /// The error that rejects the value for every type, without an origin.
    var rejection: PrefsError? {
        get { extras?.rejection }
        set { state(newValue, statedOrigin) }
    }
    /// The origin that the storage states for this value.
    var statedOrigin: PrefsOrigin? {
        get { extras?.origin }
        set { state(rejection, newValue) }
    }
    private(set) var extras: Extras?
    /// The value as the source stores it; `nil` for a variable.
    let content: PrefsContent?
    /// The path that was looked up, that of one of the key's names.
    let path: PrefsPath
    /// The key as the source spells it, or what blocks it.
    let spelling: String
    /// The file that contains the value.
    let file: String?
    /// The layer's name, if the source is part of a stack.
    var layer: String?
    /// The layer's height in the stack.
    var height = 0
    /// True if the value is a secret, part of one, or may contain one.
    var isSecret = false

    /// Keeps the large and rare parts out of the value, because lookups are copied often.
    final class Extras: Sendable {
        fileprivate let rejection: PrefsError?
        fileprivate let origin: PrefsOrigin?

        fileprivate init(_ rejection: PrefsError?, _ origin: PrefsOrigin?) {
            (self.rejection, self.origin) = (rejection, origin)
        }

        fileprivate func rejection(at origin: PrefsOrigin) -> PrefsError? {
            guard var rejection else { return nil }
            rejection.origin = origin
            return rejection
        }
    }

    private mutating func state(_ rejection: PrefsError?, _ origin: PrefsOrigin?) {
        extras = rejection == nil && origin == nil ? nil : Extras(rejection, origin)
    }

    /// True if an error rejects the value for every type.
    var isRejected: Bool { extras?.rejection != nil }

    /// True for a dictionary of texts, each of which sets a part of the key's value.
    var isComposedOfTexts: Bool { isText && value.kind != .string }

    /// True if there is no value at the path, because something above it is no dictionary.
    var isBlocked: Bool { isRejected && spelling != path.name }

    /// The layer, file and position of the value. The position is computed here, because a file's lines are
    /// counted on first use.
    var origin: PrefsOrigin {
        // Most have none, and a copy of one that may be absent takes as long.
        if let extras, var stated = extras.origin {
            stated.layer = layer
            stated.spelling = stated.spelling ?? spelling
            return stated
        }
        return PrefsOrigin(layer: layer, file: file, position: content?.position, spelling: spelling)
    }

    /// The value as the key's type receives it.
    var candidate: PrefsCandidate {
        PrefsCandidate(
            value, isText: isText, origin: origin, rejection: extras.flatMap { $0.rejection(at: origin) },
            isSecret: isSecret, node: node)
    }

    /// The value in its file; `nil` for a scalar, of which the file says no more than its origin.
    private var node: PrefsNode? {
        guard let node = content?.node, node.count > 0 else { return nil }
        return node
    }

    /// Returns true if two lookups of a path have the same result, wherever it is stored.
    static func haveSameValue(_ lhs: LocatedValue?, _ rhs: LocatedValue?) -> Bool {
        lhs?.value == rhs?.value
            && lhs?.rejection?.reason == rhs?.rejection?.reason
    }
}
