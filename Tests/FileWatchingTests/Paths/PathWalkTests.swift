import PrefsSystem
import Testing

@testable import FileWatching

@Suite struct PathWalkTests {
    /// A file tree: the kind of the file at each path without links.
    private static let tree: [RawPath: PathWalk.Answer] = [
        "/a": .directory, "/a/b": .directory, "/a/b/f": .other, "/a/g": .other,
        "/up": .link(target: "a/b/.."), "/abs": .link(target: "/a/b"), "/a/rel": .link(target: "b/f"),
        "/dangling": .link(target: "a/nothing"), "/self": .link(target: "self"), "/root": .link(target: "/"),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var path: RawPath
        var looked: [RawPath]
        var ending: PathWalk.Ending
        var reached: RawPath

        var testDescription: String { path.description }
    }

    static let cases = [
        Case(path: "/", looked: [], ending: .reached, reached: "/"),
        Case(path: "/a/b/f", looked: ["/a", "/a/b", "/a/b/f"], ending: .reached, reached: "/a/b/f"),
        Case(path: "//a/./b//f/", looked: ["/a", "/a/b", "/a/b/f"], ending: .reached, reached: "/a/b/f"),
        Case(path: "/a/b/../g", looked: ["/a", "/a/b", "/a/g"], ending: .reached, reached: "/a/g"),
        Case(path: "/../a", looked: ["/a"], ending: .reached, reached: "/a"),
        Case(path: "/abs/f", looked: ["/abs", "/a", "/a/b", "/a/b/f"], ending: .reached, reached: "/a/b/f"),
        Case(path: "/up/g", looked: ["/up", "/a", "/a/b", "/a/g"], ending: .reached, reached: "/a/g"),
        Case(
            path: "/a/rel", looked: ["/a", "/a/rel", "/a/b", "/a/b/f"], ending: .reached, reached: "/a/b/f"),
        Case(path: "/root", looked: ["/root"], ending: .reached, reached: "/"),
        Case(path: "/dangling", looked: ["/dangling", "/a", "/a/nothing"], ending: .missing, reached: "/a"),
        Case(path: "/no/such/file", looked: ["/no"], ending: .missing, reached: "/"),
        Case(path: "/a/g/f", looked: ["/a", "/a/g"], ending: .missing, reached: "/a/g"),
    ]

    @Test(arguments: cases) func `lookups are those of the kernel`(_ example: Case) {
        var walk = PathWalk(example.path)
        #expect(lookups(of: &walk) == example.looked)
        #expect(walk.ending == example.ending)
        #expect(walk.path == example.reached)
    }

    @Test func `a cycle of links ends the walk`() {
        var walk = PathWalk("/self")
        #expect(lookups(of: &walk).count == 41)
        #expect(walk.ending == .tooManyLinks)
    }

    @Test func `a copy resumes the walk where it was taken`() {
        var walk = PathWalk("/abs/f")
        var copies: [PathWalk] = []
        while true {
            copies.append(walk)
            guard let lookup = walk.next() else { break }
            walk.take(Self.tree[lookup.path], to: lookup)
        }
        #expect(lookups(of: &copies[2]) == ["/a/b", "/a/b/f"])
    }

    private func lookups(of walk: inout PathWalk) -> [RawPath] {
        var looked: [RawPath] = []
        while let lookup = walk.next() {
            looked.append(lookup.path)
            walk.take(Self.tree[lookup.path], to: lookup)
        }
        return looked
    }
}
