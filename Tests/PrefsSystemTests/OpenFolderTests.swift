import TestSupport
import Testing

@testable import PrefsSystem

@Suite struct OpenFolderTests {
    private let files: TemporaryFolder
    private let folder: OpenFolder

    init() throws {
        files = try TemporaryFolder()
        folder = try OpenFolder(at: RawPath(files.path))
    }

    /// The system call, and its replacement on file systems that lack it.
    enum Way: CaseIterable {
        case call
        case reservation
    }

    private func rename(_ way: Way) throws(Errno) {
        switch way {
        case .call: try folder.rename("old", toFree: "new")
        case .reservation: try folder.rename("old", toReserved: "new")
        }
    }

    @Test(arguments: Way.allCases) func `a file gets a name that is free`(way: Way) throws {
        try files.write("contents", to: "old")
        try rename(way)
        #expect(files.names == ["new"])
        #expect(try files.read("new") == Array("contents".utf8))
    }

    @Test(arguments: Way.allCases) func `a file does not get a name that exists`(way: Way) throws {
        try files.write("contents", to: "old")
        try files.write("precious", to: "new")
        #expect { try rename(way) } throws: { ($0 as? Errno)?.code == EEXIST }
        #expect(try files.read("new") == Array("precious".utf8))
        #expect(try files.read("old") == Array("contents".utf8))
    }

    @Test(arguments: Way.allCases) func `a missing file takes no name`(way: Way) throws {
        #expect { try rename(way) } throws: { ($0 as? Errno)?.code == ENOENT }
        #expect(files.names == [])
    }
}
