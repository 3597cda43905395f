#if Etcd
    import LayeredPrefs

    /// Maps etcd's keys to the names of preferences and back: `/prefs/com.example.myd/http/port` is `http.port`.
    struct KeyMapping {
        let prefix: [UInt8]

        /// The maximum size of a value, in bytes.
        static let valueLimit = 1 << 20

        /// - Parameter prefix: The prefix. A final slash is added, because /prefs/a would also match the keys of
        ///   /prefs/ab.
        init(prefix: String) { self.prefix = Array((prefix.hasSuffix("/") ? prefix : prefix + "/").utf8) }

        var range: EtcdKeyRange { EtcdKeyRange(prefix: prefix) }

        /// Returns the name of a key.
        ///
        /// - Throws: ``PrefsError`` that states why the key has no name.
        func name(of key: [UInt8]) throws(PrefsError) -> String {
            guard let text = String(validating: key.dropFirst(prefix.count), as: UTF8.self) else {
                throw PrefsError(.invalid, reason: "the key is not UTF-8")
            }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            if parts.contains("") {
                throw PrefsError(.invalid, reason: "the key has an empty part between its slashes")
            }
            if text.utf8.contains(UInt8(ascii: ".")) {
                throw PrefsError(.invalid, reason: "the key contains a dot; separate its parts with slashes")
            }
            return PrefsPath(components: parts.map(String.init)).name
        }

        /// Returns etcd's key for the name of a preference.
        func key(for name: String) throws(PrefsError) -> [UInt8] {
            let parts = PrefsPath(name).components
            let marks = [UInt8(ascii: "/"), UInt8(ascii: ".")]
            guard parts.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(where: marks.contains) }) else {
                throw PrefsError(
                    .notEncodable, key: name, reason: "a key in etcd has no empty part, no dot and no slash")
            }
            return prefix + Array(parts.joined(separator: "/").utf8)
        }

        /// Returns the stored value as a candidate. It is a JSON value, or text that the key's type will parse.
        func candidate(for item: EtcdItem) -> PrefsCandidate {
            let origin = origin(of: item)
            func rejected(_ code: PrefsError.Code, _ reason: String) -> PrefsCandidate {
                PrefsCandidate(.string(""), origin: origin, rejection: PrefsError(code, reason: reason))
            }
            guard item.value.count <= Self.valueLimit else {
                return rejected(
                    .tooLarge,
                    "the value has \(item.value.count) bytes, at most \(Self.valueLimit) are accepted")
            }
            guard let text = String(validating: item.value, as: UTF8.self) else {
                return rejected(.syntax, "the value is not UTF-8")
            }
            do {
                let document = try PrefsDocument(parsing: item.value, as: .json, strict: true, root: nil)
                return PrefsCandidate(document.root.value, origin: origin)
            } catch {
                // A bare word is text. A text that begins like JSON was meant to be JSON.
                let isMeantAsJSON = text.first { !$0.isWhitespace }.map("{[\"".contains) ?? false
                if isMeantAsJSON || text == "null" { return rejected(error.code, error.reason) }
                return PrefsCandidate(.string(text), isText: true, origin: origin)
            }
        }

        func origin(of item: EtcdItem) -> PrefsOrigin { Self.origin(of: item.key, revision: item.revision) }

        /// Returns the place of a key, for messages.
        static func origin(of key: [UInt8], revision: Int64? = nil) -> PrefsOrigin {
            PrefsOrigin(file: "etcd \(text(of: key))", revision: revision.map { "\($0)" })
        }

        /// Returns a key for messages. If it is not UTF-8, bytes that are not ASCII text become escape sequences.
        static func text(of key: [UInt8]) -> String {
            if let text = String(validating: key, as: UTF8.self) { return text }
            return key.map { byte in
                (0x20..<0x7f).contains(byte)
                    ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
    }
#endif
