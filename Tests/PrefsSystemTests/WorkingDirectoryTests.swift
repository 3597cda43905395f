import Foundation
import PrefsSystem
import Testing

struct WorkingDirectoryTests {
    @Test(arguments: ["/", "/a", "/a/../b/.", "", "//a"])
    func `an absolute path stays as it is, and so does an empty one`(path: String) throws {
        #expect(try WorkingDirectory.current.absolute(path) == path)
    }

    @Test(arguments: [
        ("a", "/a"), ("./a", "/a"), (".//./a", "/a"), ("a/../b", "/a/../b"), ("../a", "/../a"),
        (".a", "/.a"), ("..", "/.."), ("./", ""), ("a/", "/a/"), ("é", "/é"),
    ])
    func `a relative path gets the directory in front, and is not resolved`(path: String, end: String) throws
    {
        let folder = FileManager.default.currentDirectoryPath
        #expect(try WorkingDirectory.current.absolute(path) == folder + end)
    }

    @Test func `the directory is that of the moment at which it was asked for`() async {
        await #expect(processExitsWith: .success) {
            precondition(unsafe chdir("/") == 0)
            let root = WorkingDirectory.current
            precondition(unsafe chdir("/proc") == 0)
            let paths = try (root.absolute("a"), WorkingDirectory.current.absolute("a"))
            precondition(paths == ("/a", "/proc/a"))
        }
    }
}
