import LayeredPrefs
import LayeredPrefsInspection

/// Text to store as the value of a key.
struct StoredText {
    let key: String
    let text: String
    /// The type from the command line, if there is one.
    var type: ValueType?
    /// True if a key that the program does not declare may be stored.
    var allowsUnknown = false

    /// Returns the declared key that the name stands for; `nil` if there is none.
    func declaredKey(in stack: Stack) throws -> PrefsKeyDescription? {
        guard let declared = stack.declared else { return nil }
        if let known = declared[key] { return known }
        if let renamed = declared.renamed(key) {
            Output.warn("\(key): renamed to “\(renamed.name)”")
            return renamed
        }
        if declared.holder(of: key) != nil || allowsUnknown { return nil }
        if declared.isGroup(key) {
            let member = declared.below(key).first.map { ", such as \($0.name)" } ?? ""
            throw CommandFailure.failed(
                "\(key): a group of keys, which has no value of its own; set one of them\(member)")
        }
        let hint = declared.nearest(to: key)
        throw CommandFailure.noSuchKey(key, "unknown key (--allow-unknown stores it anyway)", nearest: hint)
    }

    /// Returns the value to store.
    ///
    /// - Throws: ``CommandFailure`` if the text is not an acceptable value.
    func value(of declared: PrefsKeyDescription?, in layer: PrefsLayer, _ stack: Stack) throws -> PrefsValue {
        let isSecret = stack.declared.secrets.touches(PrefsPath(declared?.name ?? key))
        func failure(_ reason: String, expected: String) -> CommandFailure {
            CommandFailure.failed("\(key): \(reason)\(isSecret ? "" : found(expected: expected))")
        }
        let value: PrefsValue
        if let declared = try declared ?? part(in: stack) {
            value = try storedValue(for: declared)
        } else {
            let (wanted, reason) = wantedType(layer, stack)
            guard let parsed = wanted.value(ofText: text) else {
                throw failure("expected \(wanted.expectation)\(reason)", expected: wanted.expectation)
            }
            value = parsed
        }
        guard !isSplitArray(value) else {
            throw failure(Self.expectsJSON, expected: "")
        }
        return value
    }

    private static let expectsJSON = "expected a JSON array, because the text begins with a bracket"

    /// Returns true if the text begins like a JSON array, but was split at its commas because it is not a JSON
    /// array of the type. A bracket that ends within an element does not count, as in `[::1]:80,[::]:80`.
    private func isSplitArray(_ value: PrefsValue) -> Bool {
        guard case .array(let elements) = value, let first = text.split(separator: ",").first else {
            return false
        }
        let start = PrefsText.trimmed(String(first))
        let endsWithin = start.contains("]") && (elements.count > 1 || !start.hasSuffix("]"))
        return start.hasPrefix("[") && !endsWithin && elements.first == .string(start)
    }

    /// Returns the description of a part of a declared key; `nil` if no key holds the part, or if it may have any
    /// value.
    private func part(in stack: Stack) throws -> PrefsKeyDescription? {
        guard let holder = stack.declared?.holder(of: key) else { return nil }
        guard let part = holder.part(named: key) else {
            if allowsUnknown { return nil }
            throw CommandFailure.failed("\(key): \(holder.hasNoSuchPart) (--allow-unknown stores it anyway)")
        }
        return part.allowsAnyText ? nil : part
    }

    /// Parses the text and checks it against the key's declaration. With `--type`, the text is parsed as that
    /// type, and the declared type must accept the result. Without it, text for a key of any type is stored as a
    /// string.
    private func storedValue(for declared: PrefsKeyDescription) throws -> PrefsValue {
        var stored = type.map { $0.storedType.value(ofText: text) } ?? declared.storedForm(ofText: text)
        if type == nil, declared.allowsAnyText { stored = .string(text) }
        guard let stored else {
            if case .array = declared.storedType, PrefsText.trimmed(text).hasPrefix("[") {
                throw rejection(of: declared, Self.expectsJSON)
            }
            throw rejection(of: declared, "expected \(declared.storedType.expectation)")
        }
        if let complaint = declared.complaint(about: stored) {
            throw rejection(of: declared, at: stored) ?? rejection(of: declared, complaint)
        }
        if !allowsUnknown, let (path, nearest) = declared.storedType.unknownFields(in: stored).first {
            let hint = SpellingSuggestion.hint(declared.isSecret ? nil : nearest)
            throw CommandFailure.failed(
                "\(declared.name)\(path.suffix): unknown field (--allow-unknown stores it anyway)\(hint)")
        }
        return stored
    }

    /// Returns the error that names the wrong part of a value; `nil` if the value as a whole is wrong.
    private func rejection(of declared: PrefsKeyDescription, at stored: PrefsValue) -> CommandFailure? {
        guard let mismatch = declared.mismatch(of: stored), !mismatch.path.isEmpty,
            !declared.isSecret
        else { return nil }
        let part = stored.part(at: mismatch.path)
        let found = part.map { "\($0.kind.definite) \(ValueText.quoted($0))" } ?? "nothing"
        return CommandFailure.failed(
            "\(declared.name)\(mismatch.path.suffix): expected \(mismatch.expected), found \(found)"
                + SpellingSuggestion.hint(mismatch.suggestion))
    }

    /// The end of a message: the text that was found instead of the expected value.
    private func found(expected: String) -> String {
        ", found \(ShellWord.quoting(text))\(PrefsText.rangeHint(text, expected: expected))"
    }

    private func rejection(of declared: PrefsKeyDescription, _ complaint: String) -> CommandFailure {
        let found = declared.isSecret ? "" : found(expected: declared.storedType.expectation)
        let reason = declared.isSecret ? SecretPaths.masking([.string(text)], in: complaint) : complaint
        let nearest = declared.isSecret ? nil : declared.limits.values?.nearest(to: .string(text))
        let hint = SpellingSuggestion.hint(nearest)
        return CommandFailure.failed("\(declared.name): \(reason)\(found)\(hint)")
    }

    /// Returns a remark if text that looks like another type is stored as a string because nothing gives the key's
    /// type; otherwise returns `nil`. Call it before the value is stored.
    func remark(on value: PrefsValue, in layer: PrefsLayer, _ stack: Stack) -> String? {
        guard case .string = value, type == nil, stack.declared == nil,
            wantedType(layer, stack).reason.isEmpty,
            let type = ValueType(ofWord: text)
        else { return nil }
        return
            "\(key): stored as a string, because neither a schema nor a present value gives its type; --type \(type.rawValue) "
            + "stores \(type.storedType.expectation)"
    }

    private func wantedType(_ layer: PrefsLayer, _ stack: Stack) -> (type: PrefsStoredType, reason: String) {
        if let type { return (type.storedType, "") }
        let stored = stack.storage.snapshot.candidates(forKey: key).filter {
            !$0.isText && $0.rejection == nil
        }
        let own = stored.first { $0.origin.layer == layer.name.description }
        guard let present = own ?? stored.first else { return (.string, "") }
        let place = present.origin.place.isEmpty ? "" : " in \(present.origin.place)"
        return (
            ValueType(of: present.value).storedType,
            " like the current value\(place) (--type string stores text)"
        )
    }
}

extension PrefsKeyDescription {
    /// True if the key accepts values of any type, so that every text is stored as text.
    fileprivate var allowsAnyText: Bool { storedType == .any && rules?.alternatives.isEmpty != false }
}
