import Foundation
import TestSupport
import Testing

/// Compiles the code of PrefsKit's READMEs, with only the import line changed, and runs it. `Checks` contains
/// the expectations.
@Suite(.enabled(if: Readme.isThere), .serialized) struct PrefsKitReadmeTests {
    enum Version: CaseIterable {
        case newest, older

        var readme: PrefsKitReadme? { self == .newest ? .newest : .older }
    }

    @Test(arguments: Version.allCases)
    func `every code block is compiled or omitted for a stated reason`(version: Version) throws {
        let readme = try #require(version.readme)
        let numbers = readme.snippets.map(\.number) + readme.leftOut.keys
        #expect(numbers.sorted() == Array(1...readme.readme.blocks.count))
    }

    @Test(arguments: Version.allCases)
    func `every snippet behaves as the text states`(version: Version) throws {
        let readme = try #require(version.readme)
        let checks = try Checks(of: readme)
        for name in readme.snippets.compactMap(\.name) {
            let isMentioned = checks.mention(name)
            #expect(isMentioned, "no check mentions \(name)")
        }
        var sources = try readme.sources()
        sources["Main.swift"] = checks.main
        let (errors, output) = try SnippetCompiler.run(sources, with: checks.files)
        try #require(errors.isEmpty, "\(errors.values.joined().joined(separator: "\n"))")
        let lines = output.split(separator: "\n").map(String.init)
        let hasPassed = lines.filter { !$0.hasPrefix("error: ") } == checks.names.map { "passed \($0)" }
        #expect(hasPassed, "\(output)")
        // The program reports a value that cannot be stored.
        #expect(lines.contains("error: foo9: this UInt64 cannot be stored as Int"))
    }

    /// The only available copy has lost the fences around its code. Therefore the test searches it for the
    /// newest version's code, and counts anything else that looks like code as missed.
    @Test func `the translation contains the code of the newest version`() throws {
        let newest = try #require(PrefsKitReadme.newest)
        var rest = try #require(PrefsKitReadme.translation).text.onlyCode
        for (index, block) in newest.readme.blocks.enumerated() {
            let found = rest.range(of: block.onlyCode)
            #expect(found != nil, "block \(index + 1) is not in the translation")
            if let found { rest.replaceSubrange(found, with: "\n") }
        }
        for declaration in newest.readme.inlineDeclarations {
            #expect(rest.contains(declaration))
            rest = rest.replacingOccurrences(of: declaration, with: "")
        }
        let missed = rest.split(separator: "\n").filter { line in
            ["{", "}", "try ", "let ", "var "].contains { line.contains($0) } && !line.isProse
        }
        #expect(missed.isEmpty, "\(missed)")
    }
}

/// The checks of a version: functions named `check…` in their own files.
private struct Checks {
    let files: [String]
    /// The names of the functions without the prefix `check`.
    let names: [String]
    private let text: String

    init(of readme: PrefsKitReadme) throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../Checks").standardizedFileURL
        files = try readme.checks.flatMap { folder in
            let folder = root.appendingPathComponent(folder).path
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            return names.map { "\(folder)/\($0)" }
        }
        text = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
        names = text.matches(of: /func check(\w+)\(\)/).map { String($0.1) }
    }

    func mention(_ name: String) -> Bool { names.contains(name) || text.contains("\(name)(") }

    var main: String {
        let calls = names.map { "await report(\"\($0)\") { try await check\($0)() }" }
        return """
            @main struct Main {
            @MainActor static func main() async {
            \(calls.joined(separator: "\n"))
            }
            }
            """
    }
}

extension String {
    /// The nonempty lines without surrounding white space.
    fileprivate var onlyCode: String {
        split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}

extension Substring {
    /// True if the text contains Chinese characters.
    fileprivate var isProse: Bool {
        unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
    }
}
