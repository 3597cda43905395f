/// A stored value that does not have the expected form: the path of its wrong part, and the expectation there.
///
/// For the routes `[{"host": "a"}, {"host": 7}]`, the path is `[1].host` and the expectation is `a string`.
public struct PrefsMismatch: Error, Sendable, Hashable {
    /// One step from a value to a part of it.
    public enum Step: Sendable, Hashable {
        /// A step to the entry of a dictionary.
        case key(String)
        /// A step to the element of an array, counted from 0.
        case index(Int)
    }

    /// The path from the stored value to the wrong part. Empty if the value itself is wrong.
    public var path: [Step]
    /// The expected form with its article, for messages such as “expected an integer”: `an integer`.
    public var expected: String
    /// The acceptable text that was probably meant, for a hint in the message.
    public var suggestion: String?

    /// Creates a mismatch.
    public init(at path: [Step] = [], expected: String, suggestion: String? = nil) {
        self.path = path
        self.expected = expected
        self.suggestion = suggestion
    }

    /// Returns the same mismatch for a dictionary or array that holds this value at `step`.
    public func inside(_ step: Step) -> PrefsMismatch {
        PrefsMismatch(at: [step] + path, expected: expected, suggestion: suggestion)
    }
}

extension [PrefsMismatch.Step] {
    /// The path as it continues a key: `[2].timeout`.
    package var suffix: String {
        map { step in
            switch step {
            case .key(let name): ".\(PathText.spelling(of: name))"
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }
}

extension PrefsValue {
    /// Returns the part of this value at a path; `nil` if there is none.
    package func part(at path: some Collection<PrefsMismatch.Step>) -> PrefsValue? {
        guard let step = path.first else { return self }
        switch (step, self) {
        case (.key(let name), .dictionary(let content)):
            return content[name]?.part(at: path.dropFirst())
        case (.index(let index), .array(let elements)):
            return elements.indices.contains(index) ? elements[index].part(at: path.dropFirst()) : nil
        default: return nil
        }
    }
}
