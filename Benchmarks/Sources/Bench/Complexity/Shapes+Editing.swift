import PrefsDocuments

extension Shape {
    static var editing: [Shape] {
        let formats: [(String, PrefsFileFormat)] = [
            ("json", .json), ("xml", .xmlPropertyList), ("binary", .binaryPropertyList),
            ("toml", .toml),
        ]
        return formats.flatMap { name, format in
            [
                // As many edits as the file has keys need memory of their own. That is the program's decision.
                editing("\(name)-set", format) { keys in keys.map { .set([$0], to: "new") } }.memory(30),
                editing("\(name)-add-below", format) { keys in keys.map { .set(["dictionary", $0], to: 1) } }
                    .memory(30),
                editing("\(name)-remove", format) { keys in keys.map { .remove([$0]) } },
                editing("\(name)-one", format) { keys in [.set([keys[0]], to: 2), .remove([keys[1]])] },
            ]
        } + [
            duplicates, indentation,
            addingBelow("set-and-add-below", ["a"]), addingBelow("set-and-add-deeply-below", ["a", "b"]),
        ]
    }

    private static func editing(
        _ name: String, _ format: PrefsFileFormat, _ edits: @escaping ([String]) -> [PrefsDocument.Edit]
    ) -> Shape {
        Shape(name) { size in
            let keys = (0..<size / 16).map { "k\($0)" }
            let content = Dictionary(uniqueKeysWithValues: keys.map { ($0, PrefsValue.integer(1)) })
            let document = try PrefsDocument(parsing: format.serialize(content), as: format)
            let edits = edits(keys)
            return {
                let edited = try document.editing(edits)
                precondition(edited != document.bytes)
            }
        }
    }

    /// Sets a dictionary, and then many keys below it.
    private static func addingBelow(_ name: String, _ path: [String]) -> Shape {
        Shape(name) { size in
            let value = path.dropFirst().reduce(PrefsValue.dictionary([:])) { .dictionary([$1: $0]) }
            let edits: [PrefsDocument.Edit] =
                [.set([path[0]], to: value)] + (0..<size / 16).map { .set(path + ["k\($0)"], to: 1) }
            return {
                let edited = try PrefsDocument.empty.editing(edits, as: .json)
                precondition(edited.count > size / 16)
            }
        }
    }

    /// Removes many keys from a file with duplicates.
    private static var duplicates: Shape {
        Shape("json-remove-duplicates") { size in
            let document = try PrefsDocument(parsing: Text.json(size) { "\"k\($0 / 2)\":1" }, as: .json)
            let edits = document.root.entries.map { PrefsDocument.Edit.remove([$0.key]) }
            return {
                let edited = try document.editing(edits)
                precondition(edited.count < 10)
            }
        }
    }

    /// Replaces values in a file whose first entry is indented by half of the file's size.
    private static var indentation: Shape {
        Shape("xml-wide-indentation") { size in
            let text = Text.xml(size / 2) { "<key>k\($0)</key><array/>" }
            let blank = [0x0A] + [UInt8](repeating: 0x20, count: size / 2)
            let document = try PrefsDocument(parsing: text[..<13] + blank + text[13...], as: .xmlPropertyList)
            let edits = document.root.entries.map { PrefsDocument.Edit.set([$0.key], to: [1]) }
            return {
                let edited = try document.editing(edits)
                precondition(edited.count > size)
            }
        }
    }
}

extension PrefsDocument {
    fileprivate convenience init(
        parsing bytes: ArraySlice<UInt8>, as format: PrefsFileFormat
    ) throws(PrefsError) {
        try self.init(parsing: Array(bytes), as: format)
    }
}
