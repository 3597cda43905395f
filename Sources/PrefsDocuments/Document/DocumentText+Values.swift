extension DocumentText {
    /// The text of a string value.
    func string(of node: DocumentNode) -> String {
        string(node.content, isEncoded: node.flags.contains(.encodedValue))
    }

    /// The bytes of a data value.
    func data(of node: DocumentNode) -> [UInt8] {
        guard format == .xmlPropertyList else { return Array(bytes[node.content]) }
        guard node.flags.contains(.encodedValue) else { return Base64.decoded(bytes[node.content]) }
        return Base64.decoded(XMLText.decoded(bytes, node.content)[...])
    }

    /// Where an entry begins, its key's markup included.
    func entryStart(of node: DocumentNode) -> Int {
        let key = Int(node.keyStart)
        guard format == .xmlPropertyList else { return key - 1 }
        return bytes[..<key].lastIndex(of: UInt8(ascii: "<")) ?? key
    }
}
