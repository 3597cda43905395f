import PrefsDocuments
import PrefsSystem

/// The fields of the structs in an array that is the value of a key.
final class ElementFields: Sendable {
    let key: PrefsKeyName
    let paths: [PrefsPath]
    private let find: @Sendable () -> ElementShape
    private let found = Lock<ElementShape?>(nil)

    /// - Parameter find: Finds the shape of the array. It runs the `init(from:)` of the structs' types, and is
    ///   called only when there is an array to check.
    init(of key: PrefsKeyName, _ find: @escaping @Sendable () -> ElementShape) {
        (self.key, self.find) = (key, find)
        paths = key.paths
    }

    var shape: ElementShape {
        if let known = found.withLock({ $0 }) { return known }
        let shape = find()
        found.withLock { $0 = shape }
        return shape
    }
}

/// The fields of a value, as far as they are known.
indirect enum ElementShape: Sendable {
    /// Anything: a value without fields, a dictionary, or a value whose type looks at all of its keys.
    case any
    case array(of: ElementShape)
    case structure(Structure)

    /// The fields of a struct.
    struct Structure: Sendable {
        let names: [String]
        let parts: [String: ElementShape]
        /// Returns true for a name that the struct may ask for in some cases.
        let mayHave: @Sendable (String) -> Bool

        func has(_ name: String) -> Bool { parts[name] != nil || mayHave(name) }
    }
}

extension PrefsTree {
    func unknownFields(of elements: ElementFields) -> UnknownKeys {
        var search = UnknownFields()
        for path in elements.paths {
            guard let content = value(at: path)?.content, content.kind == .array else { continue }
            search.search(content, elements.shape, path)
        }
        return search.found
    }
}

/// The search for unknown fields of the structs in an array.
private struct UnknownFields {
    private(set) var found = UnknownKeys()
    private var steps: [PrefsMismatch.Step] = []

    mutating func search(_ content: PrefsContent, _ shape: ElementShape, _ path: PrefsPath) {
        switch shape {
        case .any: break
        case .array(let element):
            for (index, part) in content.elements.enumerated() {
                steps.append(.index(index))
                search(part, element, path)
                steps.removeLast()
            }
        case .structure(let structure) where content.kind == .dictionary:
            for (name, part) in content.entries {
                steps.append(.key(name))
                if !structure.has(name) {
                    let steps = steps
                    found.add(Self.unknown(name, part, structure, path, steps))
                } else if let shape = structure.parts[name] {
                    search(part, shape, path)
                }
                steps.removeLast()
            }
        case .structure: break
        }
    }

    private static func unknown(
        _ name: String, _ part: PrefsContent, _ structure: ElementShape.Structure, _ path: PrefsPath,
        _ steps: [PrefsMismatch.Step]
    ) -> UnknownKey {
        let key = path.name + steps.suffix
        return UnknownKey(
            key: key, origin: PrefsOrigin(position: part.position, spelling: key),
            field: (name, structure.names))
    }
}
