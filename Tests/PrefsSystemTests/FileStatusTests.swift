import Foundation
import PrefsSystem
import TestSupport
import Testing

struct FileStatusTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("x", to: "file")
        try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "é")
    }

    @Test func `the status is the link's own`() throws {
        #expect(try linkStatus(of: folder["link"])?.isLink == true)
        #expect(try linkStatus(of: folder["file"])?.isRegularFile == true)
    }

    @Test func `a missing name and a file on the way mean nothing is there`() throws {
        #expect(try linkStatus(of: folder["none"]) == nil)
        #expect(try linkStatus(of: folder["file/none"]) == nil)
    }

    @Test func `a link's target is returned as it is written`() throws {
        #expect(try linkTarget(of: RawPath(folder["link"])) == "é")
        #expect(throws: Errno(EINVAL)) { try linkTarget(of: RawPath(folder["file"])) }
        #expect(throws: Errno(ENOENT)) { try linkTarget(of: RawPath(folder["none"])) }
    }

    @Test func `the names of a folder include links and hidden files`() throws {
        try folder.write("", to: ".hidden")
        #expect(Set(entryNames(in: folder.path)) == [".", "..", ".hidden", "file", "link"])
        #expect(entryNames(in: folder["none"]).isEmpty)
    }
}
