extension DocumentText {
    /// Returns the text of a string value.
    func string(of node: DocumentNode) -> String {
        string(node.content, isEncoded: node.flags.contains(.encodedValue))
    }

    /// Returns the bytes of a data value.
    func data(of node: DocumentNode) -> [UInt8] {
        guard format == .xmlPropertyList else { return Array(bytes[node.content]) }
        guard node.flags.contains(.encodedValue) else { return Base64.decoded(bytes[node.content]) }
        return Base64.decoded(XMLText.decoded(bytes, node.content)[...])
    }

    /// Returns the start of an entry, including its key's markup.
    func entryStart(of node: DocumentNode) -> Int {
        let key = Int(node.keyStart)
        if format == .yaml, node.flags.contains(.encodedKey) {
            return decoded?.source(ofKeyAt: key) ?? 0
        }
        if format == .toml || format == .yaml {
            let isQuoted = key > 0 && "\"'".utf8.contains(bytes[key - 1])
            return isQuoted ? key - 1 : key
        }
        guard format == .xmlPropertyList else { return key - 1 }
        return bytes[..<key].lastIndex(of: UInt8(ascii: "<")) ?? key
    }
}
