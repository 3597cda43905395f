import Testing

@testable import PrefsDocuments

struct TextPatchTests {
    @Test func `applies replacements in the text's order`() {
        var patch = TextPatch()
        patch.insert(Array("!".utf8), at: 6)
        patch.remove(1..<3)
        patch.replace(4..<5, with: Array("XYZ".utf8))
        #expect(String(decoding: patch.applied(to: Array("abcdef".utf8)), as: UTF8.self) == "adXYZf!")
    }

    @Test func `an insertion into a removed range takes its place`() {
        var patch = TextPatch()
        patch.remove(1..<5)
        patch.insert(Array("!".utf8), at: 3)
        patch.remove(4..<6)
        #expect(String(decoding: patch.applied(to: Array("abcdefg".utf8)), as: UTF8.self) == "a!g")
    }

    @Test func `removals in a row leave what is inserted between them`() {
        var patch = TextPatch()
        patch.remove(1..<3)
        patch.remove(3..<5)
        patch.insert(Array("!".utf8), at: 3)
        patch.remove(5..<5)
        patch.replace(5..<6, with: Array("X".utf8))
        #expect(String(decoding: patch.applied(to: Array("abcdefg".utf8)), as: UTF8.self) == "a!Xg")
    }

    @Test func `without replacements the text is unchanged`() {
        #expect(TextPatch().applied(to: [1, 2, 3]) == [1, 2, 3])
    }
}
