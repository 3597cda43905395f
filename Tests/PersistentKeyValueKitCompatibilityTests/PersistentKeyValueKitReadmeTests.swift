import TestSupport
import Testing

/// Compiles the code of PersistentKeyValueKit's README. The copy has lost everything in angle brackets, and
/// the table restores it.
@Suite(.enabled(if: Readme.isThere)) struct PersistentKeyValueKitReadmeTests {
    private static let anyForm = (
        "some PersistentKeyValueRepresentation", "some PersistentKeyValueRepresentation<Self>"
    )

    private static func key(of type: String) -> (String, String) {
        ("== PersistentKey ", "== PersistentKey<\(type)> ")
    }

    private static let userDefaults = Snippet.Place.function(parameters: "userDefaults: UserDefaults")

    private static let snippets = [
        Snippet(number: 2, restoring: [anyForm]),
        Snippet(number: 3, restoring: [key(of: "RuntimeColorScheme")]),
        Snippet(number: 4),
        Snippet(number: 5, place: userDefaults, restoring: [("userDefaults.get", "_ = userDefaults.get")]),
        Snippet(number: 6, place: userDefaults),
        Snippet(number: 7, place: userDefaults),
        Snippet(number: 8, restoring: [key(of: "Date")]),
        Snippet(number: 9, restoring: [key(of: "String?")]),
        Snippet(number: 10, place: userDefaults),
        Snippet(number: 12, restoring: [("== PersistentDebugKey ", "== PersistentDebugKey<Bool> ")]),
        Snippet(number: 13, place: userDefaults),
        Snippet(number: 14, place: userDefaults, restoring: [("userDefaults.get", "_ = userDefaults.get")]),
        Snippet(number: 16, restoring: [anyForm]),
        Snippet(number: 17, restoring: [anyForm]),
        Snippet(number: 18),
        Snippet(number: 19, restoring: [anyForm]),
        Snippet(number: 20),
        Snippet(number: 21, restoring: [anyForm]),
        // The README omits that the conformance of a public type needs public members.
        Snippet(number: 22, restoring: [anyForm, ("static var", "public static var")]),
        Snippet(number: 23, restoring: [key(of: "Date?")]),
        Snippet(number: 24, place: .type),
        Snippet(number: 27, place: .function()),
        Snippet(number: 28, place: .function(), restoring: [("PersistentKey =", "PersistentKey<String> =")]),
        Snippet(number: 29, place: .function()),
        Snippet(number: 30, place: .function()),
        Snippet(number: 31, restoring: [key(of: "Int")]),
        Snippet(number: 32, place: userDefaults),
        Snippet(number: 33, restoring: [key(of: "Bool?")]),
        Snippet(number: 34, restoring: [key(of: "Bool")]),
    ]

    /// Declarations that the snippets leave to the reader, and a stand-in for each name of SwiftUI and UIKit.
    private static let surroundings = """
        import PersistentKeyValueKitCompatibility

        protocol View {}
        struct UIContentSizeCategory: RawRepresentable, Sendable { var rawValue: String }
        final class Label { var text = "" }
        nonisolated(unsafe) let usernameLabel = Label()
        func apply(_ scheme: RuntimeColorScheme) {}
        func handleChange(username: String) {}
        func recordChange(username: String) {}

        extension PersistentKeyProtocol where Self == PersistentKey<String> {
            static var username: Self { Self("Username", defaultValue: "") }
        }
        """

    @Test func `every snippet that applies to Linux compiles`() throws {
        let readme = try #require(Readme(mentioning: "PersistentKeyValueKit"))
        #expect(readme.blocks.count == 34)
        var sources = ["surroundings.swift": Self.surroundings]
        for snippet in Self.snippets {
            sources["block\(snippet.number).swift"] = try snippet.source(
                of: readme.blocks, import: "PersistentKeyValueKit")
        }
        // Omitted: 1 is a package manifest, 11 and 25 use iCloud, 15 is a bare protocol requirement, 26 uses
        // SwiftUI.
        #expect(Self.snippets.count == 29)
        let errors = try SnippetCompiler.errors(in: sources)
        #expect(errors.isEmpty, "\(errors.values.joined().joined(separator: "\n"))")
    }
}
