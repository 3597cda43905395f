import Foundation
import PrefsSystem
import TestSupport
import Testing

@testable import PrefsFiles

struct FolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder[name], withDestinationPath: target)
    }

    @Test func `creates missing ancestors and accepts an existing folder`() throws {
        for _ in 0..<2 { try Folder.create(folder["a/b/c"], mode: 0o700) }
        #expect(folder.names == ["a"])
        #expect(throws: Errno(ENOTDIR)) {
            try folder.write("", to: "file")
            try Folder.create(folder["file/below"], mode: 0o700)
        }
    }

    @Test func `resolves chains of relative and absolute links, also dangling ones`() throws {
        try link("one", to: "two")
        try link("two", to: folder["three"])
        #expect(try Folder.resolvingLinks(folder["one"]) == folder["three"])
        #expect(try Folder.resolvingLinks(folder["none"]) == folder["none"])
    }

    @Test func `a loop of links is an error`() throws {
        try link("loop", to: "loop")
        #expect(throws: Errno(ELOOP)) { try Folder.resolvingLinks(folder["loop"]) }
    }
}
