import PrefsDocuments

/// The element because of which an array or dictionary does not decode.
struct InvalidElement {
    /// The path within the value: `[2]`, `.name`, `[2].name`.
    var path: String
    var stored: PrefsValue
    /// A description of acceptable stored forms, with its article.
    var expectation: String
}

/// A coding, or a type with a stored form, that consists of elements.
private protocol HasElements {
    /// Returns the first element that does not decode; `nil` if all do, or if the form is not a collection.
    func invalidElement(in stored: PrefsValue) -> InvalidElement?
}

extension PrefsValueCoding {
    /// Returns the innermost element that does not decode; `nil` if the value as a whole has the wrong form.
    func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        (self as? any HasElements)?.invalidElement(in: stored)
    }

    /// Returns the element at a place, or a deeper one, if it does not decode.
    fileprivate func invalidElement(_ stored: PrefsValue, at place: String) -> InvalidElement? {
        if decode(stored) != nil { return nil }
        guard var inner = invalidElement(in: stored) else {
            return InvalidElement(path: place, stored: stored, expectation: expectation)
        }
        inner.path = place + inner.path
        return inner
    }

    fileprivate func invalidElement(of array: PrefsValue) -> InvalidElement? {
        guard case .array(let elements) = array else { return nil }
        return elements.enumerated().lazy.compactMap { invalidElement($1, at: "[\($0)]") }.first
    }

    fileprivate func invalidValue(of dictionary: PrefsValue) -> InvalidElement? {
        guard case .dictionary(let content) = dictionary else { return nil }
        return content.sorted { $0.key < $1.key }.lazy.compactMap { invalidElement($1, at: ".\($0)") }.first
    }
}

extension ArrayPrefsCoding: HasElements {
    fileprivate func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        elementCoding.invalidElement(of: stored)
    }
}

extension DictionaryPrefsCoding: HasElements {
    fileprivate func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        elementCoding.invalidValue(of: stored)
    }
}

extension OptionalPrefsCoding: HasElements {
    fileprivate func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        base.invalidElement(in: stored)
    }
}

extension AtomicPrefsCoding: HasElements {
    fileprivate func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        (Value.self as? any CollectionForm.Type)?.invalidElement(in: stored)
    }
}

/// A type whose stored form is an array or a dictionary.
private protocol CollectionForm {
    static func invalidElement(in stored: PrefsValue) -> InvalidElement?
}

extension Array: CollectionForm where Element: PrefsStorageValue {
    fileprivate static func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        AtomicPrefsCoding<Element>().invalidElement(of: stored)
    }
}

extension Set: CollectionForm where Element: PrefsStorageValue {
    fileprivate static func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        AtomicPrefsCoding<Element>().invalidElement(of: stored)
    }
}

extension Dictionary: CollectionForm where Key == String, Value: PrefsStorageValue {
    fileprivate static func invalidElement(in stored: PrefsValue) -> InvalidElement? {
        AtomicPrefsCoding<Value>().invalidValue(of: stored)
    }
}
