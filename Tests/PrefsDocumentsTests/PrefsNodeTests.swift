import PrefsDocuments
import Testing

struct PrefsNodeTests {
    private static let texts = [
        #"{"b": 1, "a": [true, {"c": "x"}], "b": 2}"#,
        "<plist><dict><key>b</key><integer>1</integer><key>a</key><array><true/><dict><key>c</key>"
            + "<string>x</string></dict></array><key>b</key><integer>2</integer></dict></plist>",
    ]

    @Test(arguments: texts)
    func `entries and elements follow the file, without shadowed duplicates`(_ text: String) throws {
        let format: PrefsFileFormat = text.hasPrefix("{") ? .json : .xmlPropertyList
        let root = try PrefsDocument(parsing: text, as: format).root
        #expect(root.entries.map(\.key) == ["a", "b"])
        #expect(root.count == 2)
        let list = try #require(root["a"])
        #expect(list.elements.map(\.kind) == [.bool, .dictionary])
        #expect(list.count == 2)
        #expect(list.entries.map(\.key) == [])
        #expect(root.elements.map(\.kind) == [])
        #expect(root["b"]?.value == 2)
        #expect(root["b"]?.elements.map(\.kind) == [])
        #expect(list["a"] == nil)
    }

    @Test func `a position is that of the key, or of a value without one`() throws {
        let root = try PrefsDocument(parsing: "{\n  \"a\": [\n    1]}", as: .json).root
        #expect(root.position == .line(1, column: 1))
        #expect(root["a"]?.position == .line(2, column: 3))
        #expect(root["a"]?.elements.map(\.position) == [.line(3, column: 5)])
    }

    @Test func `a node keeps its document`() throws {
        func port() throws -> PrefsNode? {
            try PrefsDocument(parsing: #"{"port": 80}"#, as: .json).root["port"]
        }
        #expect(try port()?.value == 80)
    }
}
