import Foundation
import TestSupport
import Testing

@testable import PrefsFiles

struct PrefsFileIdentityTests {
    @Test func `two spellings of a file in a missing folder are one file`() throws {
        let folder = try TemporaryFolder()
        let links = FileManager.default
        try links.createDirectory(atPath: folder["real"], withIntermediateDirectories: false)
        try links.createSymbolicLink(atPath: folder["link"], withDestinationPath: "real")
        try links.createSymbolicLink(atPath: folder["dangling"], withDestinationPath: "real/new/deep")
        let file = PrefsFileIdentity(folder["real/new/deep/u.json"])
        for other in [
            "real/new/./deep/u.json", "real//new/deep/u.json", "link/new/deep/u.json", "dangling/u.json",
            "real/new/other/../deep/u.json",
        ] {
            #expect(PrefsFileIdentity(folder[other]) == file, "\(other)")
        }
        for other in ["real/new/u.json", "new/deep/u.json", "real/new/deep/v.json"] {
            #expect(PrefsFileIdentity(folder[other]) != file, "\(other)")
        }
    }
}
