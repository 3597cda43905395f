import PrefsSystem
import TestSupport
import Testing

@testable import PrefsFiles

struct TemporaryFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        (".f.0123456789abcdef.tmp", true), (".f.0123456789ABCDEF.tmp", true),
        (".f.0123456789abcde.tmp", false),
        (".f.0123456789abcdeg.tmp", false), (".g.0123456789abcdef.tmp", false),
        ("f.0123456789abcdef.tmp", false),
        (".f..tmp", false), (".f.lock", false),
    ])
    func `its name has sixteen hexadecimal digits`(name: String, isTemporary: Bool) {
        #expect(TemporaryFile.isTemporary(RawPath(name), of: "f") == isTemporary)
    }

    @Test func `an unfinished file is removed and a renamed one stays`() throws {
        let open = try OpenFolder(at: RawPath(folder.path))
        for isFinished in [false, true] {
            let file = try TemporaryFile(of: "f", in: open)
            #expect(TemporaryFile.isTemporary(file.name, of: "f"))
            try file.descriptor.write([1, 2, 3])
            if isFinished { try file.rename(to: "f") }
        }
        #expect(folder.names == ["f"])
        #expect(try folder.read("f") == [1, 2, 3])
    }

    @Test func `sweeping removes only this file's leftovers`() throws {
        let names = [".f.0123456789abcdef.tmp", ".g.0123456789abcdef.tmp", ".f.lock", "f"]
        for name in names { try folder.write("", to: name) }
        TemporaryFile.sweep(beside: try PathTargetSearch.target(of: folder["f"], creationMode: nil))
        #expect(folder.names == names.dropFirst().sorted())
    }
}
