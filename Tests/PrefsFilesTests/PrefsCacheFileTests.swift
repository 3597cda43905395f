import Foundation
import PrefsDocuments
import TestSupport
import Testing

@testable import PrefsFiles

struct PrefsCacheFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `writing removes what processes left that ended while they were writing`() throws {
        let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3600)]
        for name in ["saved.17", "saved.toml", "other.17"] {
            try folder.write("", to: name)
            try FileManager.default.setAttributes(old, ofItemAtPath: folder[name])
        }
        // Another process may be writing it.
        try folder.write("", to: "saved.18")
        let file = PrefsCacheFile(
            path: folder["saved"], signature: "Test 1", limit: 100, name: "the contents")
        try file.write(([1, 2, 3], 7))
        #expect(folder.names == ["other.17", "saved", "saved.18", "saved.toml"])
        let contents = try file.read()
        #expect(contents?.payload == [1, 2, 3] && contents?.time == 7)
    }

    @Test(arguments: [
        ("Test 2", PrefsError.Code.unsupported), ("Test 10", .unsupported), ("Test", .broken),
        ("Test x", .broken), ("Other 1", .broken), ("", .broken),
    ])
    func `a file of another version is not called damaged`(signature: String, code: PrefsError.Code) throws {
        func file(_ signature: String) -> PrefsCacheFile {
            PrefsCacheFile(path: folder["saved"], signature: signature, limit: 100, name: "the contents")
        }
        try file(signature).write(([1], 7))
        let error = #expect(throws: PrefsError.self) { try file("Test 1").read() }
        #expect(error?.code == code)
        if code == .unsupported {
            #expect(
                error?.reason
                    == "the contents were written by another version of this library, so they are not used")
        }
    }
}
