import PrefsDocuments

/// A value with its place in a source and in the stack. Every lookup returns such values.
///
/// A lookup has three steps: the contents of each source produce a located value, the snapshot's rules reject
/// or change it, and the key's type decodes the resulting ``candidate``.
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
    /// The path that was looked up. It belongs to one of the key's names.
    let path: PrefsPath
    /// The key as the source spells it, or the key that blocks it.
    let spelling: String
    /// The file that contains the value.
    let file: String?
    /// The layer's name, if the source is part of a stack.
    var layer: String?
    /// The layer's height in the stack.
    var height = 0
    /// True if the value is a secret, part of one, or may contain one.
    var isSecret = false

    /// Keeps the large and rare parts out of the value, because located values are copied often.
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

    /// True for a dictionary of texts. Each text sets a part of the key's value.
    var isComposedOfTexts: Bool { isText && value.kind != .string }

    /// True if something above the path is not a dictionary, so that the path has no value.
    var isBlocked: Bool { isRejected && spelling != path.name }

    /// The layer, file and position of the value. The position is computed here, because a file's lines are
    /// counted on first use.
    var origin: PrefsOrigin {
        // Most values have no extras, and copying an optional origin takes as long as copying an origin.
        if let extras, var stated = extras.origin {
            stated.layer = layer
            stated.spelling = stated.spelling ?? spelling
            return stated
        }
        return PrefsOrigin(layer: layer, file: file, position: content?.position, spelling: spelling)
    }

    /// The value in the form that the key's type receives.
    var candidate: PrefsCandidate {
        PrefsCandidate(
            value, isText: isText, origin: origin, rejection: extras.flatMap { $0.rejection(at: origin) },
            isSecret: isSecret, node: node)
    }

    /// The value in its file; `nil` for a scalar, because its file knows nothing about it but the origin.
    private var node: PrefsNode? {
        guard let node = content?.node, node.count > 0 else { return nil }
        return node
    }

    /// Returns true if two lookups of a path have the same result, wherever the value is stored.
    static func haveSameValue(_ lhs: LocatedValue?, _ rhs: LocatedValue?) -> Bool {
        lhs?.value == rhs?.value
            && lhs?.rejection?.reason == rhs?.rejection?.reason
    }
}
