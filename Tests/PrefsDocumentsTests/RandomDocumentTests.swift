import Foundation
import TestSupport
import Testing

@testable import PrefsDocuments

/// Random files in each format. After an edit of one key, exactly that key differs, and every other byte is
/// the same.
///
/// `LAYEREDPREFS_DOCUMENTS=20000` sets the number of files in each format.
struct RandomDocumentTests {
    private static let count =
        ProcessInfo.processInfo.environment["LAYEREDPREFS_DOCUMENTS"].flatMap(Int.init) ?? 400

    @Test(arguments: PrefsFileFormat.texts) func `an edit changes one key and no other byte`(
        format: PrefsFileFormat
    ) throws {
        var texts = RandomText(seed: 20_000)
        var edits = RandomEdit(seed: 1)
        var rejected = 0
        for _ in 0..<Self.count {
            let text = texts.file(as: format)
            let document = try PrefsDocument(parsing: text, as: format)
            guard let place = edits.place(in: document) else { continue }
            do {
                let bytes = try document.editing([place.edit])
                try place.check(bytes, instead: document)
            } catch let error as PrefsError where format == .yaml && error.code == .unsupported {
                // The editor does not change a value that has an anchor, or that comes from one.
                #expect(text.contains("&"), "\(error)\n\(text)\n\(place.edit)")
                rejected += 1
            }
        }
        #expect(rejected * 3 < Self.count, "\(rejected) edits were rejected")
        if Self.count > 1000 { print("\(format): \(Self.count) files, \(rejected) edits rejected") }
    }
}

/// Chooses one key of a document to change, add or remove.
private struct RandomEdit {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// An edit, and the bytes of the file that it may change.
    struct Place {
        var edit: PrefsDocument.Edit
        var range: Range<Int>
    }

    /// Returns a random edit; `nil` if the random entry does not suit it.
    mutating func place(in document: PrefsDocument) -> Place? {
        var entries: [(path: [String], node: PrefsNode, parent: PrefsNode)] = []
        func collect(_ parent: PrefsNode, _ path: [String]) {
            for (key, node) in parent.entries {
                entries.append((path + [key], node, parent))
                collect(node, path + [key])
            }
        }
        collect(document.root, [])
        guard let entry = entries.randomElement(using: &generator) else { return nil }
        let values: [PrefsValue] = [7, "new", "no # text", 1.5, true, "", [1, "b"], "say \"é\""]
        let value = values[Int.random(in: 0..<values.count, using: &generator)]
        let isScalar = !entry.node.raw.isContainer
        let range = document.rangeOfEntry(entry.node)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            return Place(edit: .set(entry.path.dropLast() + ["new key"], to: value), range: 0..<0)
        case 1 where isScalar && entry.parent.count > 1:
            return Place(edit: .remove(entry.path), range: range.lines)
        default: return isScalar ? Place(edit: .set(entry.path, to: value), range: range.value) : nil
        }
    }
}

extension RandomEdit.Place {
    /// Checks that exactly the key differs, and that the bytes outside the range are unchanged, before and
    /// after one changed part.
    fileprivate func check(_ bytes: [UInt8], instead document: PrefsDocument) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let original = String(decoding: document.bytes, as: UTF8.self)
        var expected = document.content
        try EditTree([edit]).apply(to: &expected)
        let result = try PrefsDocument(parsing: bytes, as: document.format)
        #expect(result.content == expected, "\(original)\n→ \(edit)\n\(text)")
        let start = zip(document.bytes, bytes).prefix { $0 == $1 }.count
        let end = zip(document.bytes.dropFirst(start).reversed(), bytes.dropFirst(start).reversed())
            .prefix { $0 == $1 }.count
        #expect(start + end >= document.bytes.count - range.count, "\(original)\n→ \(edit)\n\(text)")
        if edit.value == nil {
            #expect(start + end == bytes.count, "something was added\n\(original)\n→ \(edit)\n\(text)")
        }
    }
}

extension PrefsDocument {
    /// Returns the bytes that an edit of an entry may change: the bytes of its value or, for a removal, of
    /// its lines.
    fileprivate func rangeOfEntry(_ node: PrefsNode) -> (value: Range<Int>, lines: Range<Int>) {
        let bytes = text.bytes
        var value = node.raw.range
        if format == .yaml, [UInt8(ascii: "|"), UInt8(ascii: ">")].contains(bytes[value.lowerBound]) {
            value = value.lowerBound..<endOfLine(value.upperBound)
        }
        let key = min(
            node.raw.keyLength > 0 ? text.entryStart(of: node.raw) : value.lowerBound, value.lowerBound)
        let start = bytes[..<key].lastIndex(of: UInt8(ascii: "\n")) ?? 0
        var end = endOfLine(value.upperBound)
        // Removes blank lines that would become part of the text before them.
        while format == .yaml, end < bytes.count, endOfLine(end) - end <= 2, bytes[end].isBlank {
            end = endOfLine(end)
        }
        return (value, start..<max(end, start))
    }

    private func endOfLine(_ offset: Int) -> Int {
        text.bytes[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.bytes.count
    }
}
