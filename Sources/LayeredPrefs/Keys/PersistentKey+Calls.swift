import PrefsDocuments

// The calls of the program's code that a key declares, each bounded by a CallChain.

extension PersistentKey {
    /// Returns the reason for which the key's validation rejects a value; `nil` if it accepts it.
    ///
    /// A validation that, by reading other keys, comes to depend on itself accepts the innermost value.
    func complaint(about value: Value) -> String? {
        guard let declared, declared.areValidated, let validate = traits.validate else { return nil }
        return CallChain.run(.validation, of: id) { validate(value) } ?? nil
    }
}

extension PersistentKey {
    /// Returns a value's stored form.
    ///
    /// - Throws: What the coding throws; ``PrefsError`` if the coding has stored the key that it encodes.
    func encoded(_ value: Value) throws -> PrefsValue? {
        let coding = coding
        let result = CallChain.run(.encoding, of: id) { Result { try coding.encode(value) } }
        guard let result else {
            throw PrefsError(
                .invalid, key: id,
                reason:
                    "not written, because the coding writes the key that it encodes; let it write another key"
            )
        }
        return try result.get()
    }

    /// Returns what is wrong with a stored form that does not decode.
    func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        let coding = coding
        return CallChain.decoding(id) { coding.mismatch(of: stored) } ?? .circular
    }
}
