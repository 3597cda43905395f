import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments

/// Real files, read in place. The results are compared with other tools' results.
@Suite(.enabled(if: Corpus.folder != nil, "the corpus of real files is absent; set LAYEREDPREFS_CORPUS"))
struct CorpusTests {
    /// Files that other parsers accept although they are not XML, each with a part of the error message.
    private static let rejected: [String: String] = [
        "go-plist__2d2547__s07.plist": "expected “>”",
        "go-plist__a90b4b__s06.plist": "expected “;”",
        "go-plist__ace338__s08.plist": "after </plist>",
        "go-plist__dfb1b4__s10.plist": "expected “>”",
    ]

    @Test func `valid files parse, and OpenStep files are identified as such`() throws {
        var parsed = 0
        for file in try Corpus.files("valid") {
            do {
                _ = try PrefsDocument(parsing: file.bytes, as: file.format, path: file.name, root: nil)
                parsed += 1
            } catch {
                #expect(error.reason.contains(Self.rejected[file.name] ?? "OpenStep"), "\(error)")
            }
        }
        #expect(parsed > 100)
    }

    @Test func `invalid files are rejected with a position`() throws {
        // The file's origin lists it as invalid for a reason in that project's tests, not in the file.
        for file in try Corpus.files("invalid") where !file.name.hasSuffix("offxml.plist") {
            let error = #expect(throws: PrefsError.self, "\(file.name)") {
                try PrefsDocument(parsing: file.bytes, as: file.format, path: file.name, root: nil)
            }
            #expect(error?.origin?.position != nil)
        }
    }

    @Test(.enabled(if: Tool.python != nil, "python3 is absent"))
    func `Python reads the same contents from rewritten files`() throws {
        let folder = try TemporaryFolder()
        var count = 0
        for file in try Corpus.files("valid") where !file.isJSON {
            let document = try? PrefsDocument(parsing: file.bytes, as: file.format, path: file.name)
            guard let document, !Self.isUnknownToPython(file.name) else { continue }
            count += 1
            try folder.write(file.bytes, to: "\(count).original")
            try folder.write(PrefsFileFormat.xmlPropertyList.serialize(document.content), to: "\(count).xml")
            try folder.write(
                PrefsFileFormat.binaryPropertyList.serialize(document.content), to: "\(count).binary")
        }
        let outcome = try Tool.python?.run(["-c", PythonScript.compareCopies, folder.path])
        #expect(outcome?.status == 0, "\(outcome?.output ?? "")")
        #expect(count > 80)
    }

    /// Python cannot tell UTF-16 from UTF-32 without a byte order mark.
    private static func isUnknownToPython(_ name: String) -> Bool {
        name.contains("xml-utf-")
    }

    @Test func `every entry of every file has a position and is found by key`() throws {
        for file in try Corpus.files("valid") {
            guard let document = try? PrefsDocument(parsing: file.bytes, as: file.format, path: file.name)
            else { continue }
            check(document.root, file.name)
        }
    }

    private func check(_ node: PrefsNode, _ name: String) {
        #expect(node.position != nil, "\(name)")
        for (key, value) in node.entries {
            #expect(node[key]?.index == value.index, "\(name): \(key)")
            check(value, name)
        }
    }

    @Test func `adding and removing a key restores every file`() throws {
        for file in try Corpus.files("valid") where file.format != .binaryPropertyList {
            guard let document = try? PrefsDocument(parsing: file.bytes, as: file.format, path: file.name)
            else { continue }
            let added = try document.editing([.set(["a new key"], to: ["deep": ["er": 1]])])
            let edited = try PrefsDocument(parsing: added, as: document.format, path: file.name)
            #expect(edited.content["a new key"] == ["deep": ["er": 1]])
            let restored = try edited.editing([.remove(["a new key"])])
            guard document.root.count > 0 else { continue }
            #expect(restored == file.bytes, "\(file.name)")
        }
    }
}
