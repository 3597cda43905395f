/// The reason why a stored value does not have the expected form: which part of it is wrong, and what is
/// expected there.
///
/// For the routes `[{"host": "a"}, {"host": 7}]`, the path is `[1].host` and the expectation `a string`.
public struct PrefsMismatch: Error, Sendable, Hashable {
    /// One step from a value into it.
    public enum Step: Sendable, Hashable {
        /// To an entry of a dictionary.
        case key(String)
        /// To an element of an array, counted from 0.
        case index(Int)
    }

    /// The way from the stored value to the wrong part; empty if the value itself is wrong.
    public var path: [Step]
    /// The expected form with its article, as a message continues after “expected”: `an integer`.
    public var expected: String
    /// The acceptable text that is most similar to what was found, for a probable spelling mistake.
    public var suggestion: String?

    /// Creates a mismatch.
    public init(at path: [Step] = [], expected: String, suggestion: String? = nil) {
        self.path = path
        self.expected = expected
        self.suggestion = suggestion
    }

    /// Returns the same mismatch for a value that holds this one's value in the given place.
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
