import PrefsSystem
import Testing

struct PathsTests {
    @Test(arguments: [
        ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b/c", "a/b", "c"), ("/", "/", ""),
        ("/é/ü.plist", "/é", "ü.plist"),
    ])
    func `a path is a folder and a file name`(path: String, folder: String, fileName: String) {
        #expect(path.folder == folder)
        #expect(path.fileName == fileName)
    }
}
