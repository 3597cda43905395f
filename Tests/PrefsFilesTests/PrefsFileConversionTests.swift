import Foundation
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import PrefsFiles

@Suite struct PrefsFileConversionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var old: String { folder["a.plist"] }
    private var new: String { folder["a.toml"] }

    @discardableResult
    private func convert(onCreation: @escaping () throws -> Void = {}) throws -> String {
        try PrefsFileConversion(from: old, to: new, onCreation: onCreation).run { document in
            try PrefsFileFormat.toml.serialize(document.content)
        }
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder[name], encoding: .utf8)
    }

    /// The files in the folder, except lock files.
    private var files: [String] { folder.names.filter { !$0.hasSuffix(".lock") } }

    private func writeOld(_ value: PrefsValue = 1, mode: Int = 0o640) throws {
        try folder.write(PrefsFileFormat.xmlPropertyList.serialize(["a": value]), to: "a.plist", mode: mode)
    }

    @Test func `the new file takes the place of the old one, with its mode`() throws {
        try writeOld()
        try convert()
        #expect(files == ["a.plist.bak", "a.toml"])
        #expect(try text("a.toml") == "a = 1\n")
        #expect(try text("a.plist.bak").contains("<integer>1</integer>"))
        let mode = try FileManager.default.attributesOfItem(atPath: new)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test func `a conversion that is cut off leaves both files and can be completed`() throws {
        struct Cut: Error {}
        try writeOld()
        #expect(throws: Cut.self) { try convert { throw Cut() } }
        #expect(files == ["a.plist", "a.toml"])
        try convert()
        #expect(files == ["a.plist.bak", "a.toml"])
        #expect(try text("a.toml") == "a = 1\n")
    }

    @Test func `an existing backup is not overwritten`() throws {
        for (number, backup) in ["a.plist.bak", "a.plist.bak.1", "a.plist.bak.2"].enumerated() {
            try writeOld(.integer(Int128(number)))
            #expect(try convert() == folder[backup])
            #expect(try text(backup).contains("<integer>\(number)</integer>"))
            try FileManager.default.removeItem(atPath: new)
        }
        #expect(files == ["a.plist.bak", "a.plist.bak.1", "a.plist.bak.2"])
        #expect(try text("a.plist.bak").contains("<integer>0</integer>"))
    }

    @Test func `neither a folder nor a link is taken for a free name`() throws {
        try writeOld()
        try folder.write("precious", to: "precious")
        try FileManager.default.createDirectory(
            atPath: folder["a.plist.bak"], withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder["a.plist.bak.1"], withDestinationPath: "precious")
        try FileManager.default.createSymbolicLink(
            atPath: folder["a.plist.bak.2"], withDestinationPath: "none")
        #expect(try convert() == folder["a.plist.bak.3"])
        #expect(try text("precious") == "precious")
    }

    @Test func `without a free name for the backup, the old file stays`() throws {
        try writeOld()
        for number in 0..<BackupName.limit {
            try folder.write("\(number)", to: BackupName.converted.name(for: "a.plist", number).description)
        }
        #expect { try convert() } throws: { error in
            (error as? PrefsError)?.code == .unwritable && "\(error)".contains("a.plist.bak.999")
        }
        #expect(try text("a.plist").contains("<integer>1</integer>"))
        #expect(try text("a.plist.bak") == "0")
    }

    @Test func `a new file with other values is not overwritten`() throws {
        try writeOld()
        try folder.write("a = 2\n", to: "a.toml")
        #expect { try convert() } throws: { error in
            (error as? PrefsError)?.code == .ambiguous && "\(error)".contains(old) && "\(error)".contains(new)
        }
        #expect(files == ["a.plist", "a.toml"])
        #expect(try text("a.toml") == "a = 2\n")
    }

    @Test func `an edit of the old file meanwhile wins`() throws {
        try writeOld()
        #expect { try convert { try writeOld(2) } } throws: { ($0 as? PrefsError)?.code == .busy }
        #expect(files == ["a.plist"])
        #expect(try text("a.plist").contains("<integer>2</integer>"))
    }

    @Test func `what cannot be converted changes nothing`() throws {
        #expect { try convert() } throws: { ($0 as? PrefsError)?.code == .missing }
        try writeOld(.data(Data([1])))
        #expect { try convert() } throws: { ($0 as? PrefsError)?.code == .notEncodable }
        #expect(files == ["a.plist"])
        try FileManager.default.moveItem(atPath: old, toPath: folder["b.plist"])
        try FileManager.default.createSymbolicLink(atPath: old, withDestinationPath: "b.plist")
        #expect { try convert() } throws: { ($0 as? PrefsError)?.code == .unsupported }
        try FileManager.default.removeItem(atPath: old)
        try folder.write(Array("<plist>".utf8), to: "a.plist")
        #expect { try convert() } throws: { ($0 as? PrefsError)?.code == .broken }
        #expect(files == ["a.plist", "b.plist"])
    }

    @Test func `conversions and writes at once lose nothing`() async throws {
        for round in 0..<20 {
            let folder = try TemporaryFolder()
            let (old, new) = (folder["a.plist"], folder["a.toml"])
            try folder.write(PrefsFileFormat.xmlPropertyList.serialize(["a": 1]), to: "a.plist")
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            try PrefsFileConversion(from: old, to: new).run {
                                try PrefsFileFormat.toml.serialize($0.content)
                            }
                        } catch let error as PrefsError where error.code == .missing {}
                    }
                }
                group.addTask {
                    _ = try PrefsFileWriter(old).update { document in
                        // A converted file is not created again.
                        try document?.editing([.set(["b"], to: 2)])
                    }
                }
                try await group.waitForAll()
            }
            let content = try PrefsDocument(parsing: Array(Data(contentsOf: URL(filePath: new))), path: new)
                .content
            let names = folder.names.filter { !$0.hasSuffix(".lock") }
            #expect(names == ["a.plist.bak", "a.toml"], "round \(round)")
            #expect(content == ["a": 1] || content == ["a": 1, "b": 2])
        }
    }
}
