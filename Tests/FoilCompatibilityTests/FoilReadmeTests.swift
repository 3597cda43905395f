import TestSupport
import Testing

@Suite(.enabled(if: Readme.isThere)) struct FoilReadmeTests {
    /// Swift 6 rejects a shared instance of a class that is not `Sendable`, regardless of the property
    /// wrapper.
    private static let shared = ("static let shared", "nonisolated(unsafe) static let shared")

    private static let snippets = [
        Snippet(number: 1, restoring: [shared]),
        Snippet(number: 2),
        // Linux has no key-value observing of Objective-C, but the properties work.
        Snippet(
            number: 3,
            restoring: [
                shared, ("final class AppSettings", "final class ObservedSettings"),
                ("AppSettings()", "ObservedSettings()"), ("@objc dynamic ", ""),
            ]),
        Snippet(
            number: 5, place: .function(),
            restoring: [
                ("AppSettings.shared", "var cancellable: Set<AnyCancellable> = []\nObservedSettings.shared")
            ]),
        // In the README, `User` has no initializer without arguments.
        Snippet(
            number: 7, place: .type,
            restoring: [("var user = User()", "var other = User(id: UUID(), name: \"\")")]),
        Snippet(number: 8),
    ]

    private static let surroundings = """
        import FoilCompatibility

        final class UISwitch { var isOn = false }
        enum MyStringEnum: String { case one }
        """

    @Test func `every snippet that applies to Linux compiles`() throws {
        let readme = try #require(Readme(mentioning: "Foil "))
        #expect(readme.blocks.count == 9)
        var sources = ["surroundings.swift": Self.surroundings]
        for snippet in Self.snippets {
            sources["block\(snippet.number).swift"] = try snippet.source(of: readme.blocks, import: "Foil")
        }
        // Omitted: 4 and 6 are key-value observing, 9 is a package manifest.
        #expect(Self.snippets.count == 6)
        let errors = try SnippetCompiler.errors(in: sources)
        #expect(errors.isEmpty, "\(errors.values.joined().joined(separator: "\n"))")
    }
}
