import PrefsDocuments
import Testing

@testable import LayeredPrefs

struct PathListTests {
    private static let unusual = [
        [], [""], ["", ""], ["a.b"], ["a", "b.c"], ["a..b"], ["é", "\u{0}"], ["日本", "😀"],
    ].map { PrefsPath(components: $0) }

    @Test(arguments: [0, 1, PathList.plainCount, PathList.plainCount + 1, 1000])
    func `a list has the paths that were added, in order`(count: Int) {
        let paths = (0..<count).map { PrefsPath("k\($0).x") } + Self.unusual
        var list = PathList(Array(paths.prefix(10)))
        list.append(contentsOf: paths.dropFirst(10))
        #expect(Array(list) == paths)
        #expect(list.map(\.name) == paths.map(\.name))
        #expect(list.count == paths.count)
        #expect(!list.isEmpty)
    }

    @Test func `a list without paths is empty`() {
        #expect(PathList().isEmpty)
        #expect(Array(PathList()).isEmpty)
    }
}
