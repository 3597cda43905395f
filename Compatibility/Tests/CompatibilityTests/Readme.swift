import Foundation

/// The text of a README and the Swift code in it.
struct Readme {
    let text: String
    /// The fenced blocks of Swift code.
    let blocks: [String]

    /// Finds the first README with a title.
    ///
    /// - Returns: `nil` if there is no such README or no folder of READMEs.
    init?(mentioning title: String) {
        self.init { $0.contains("\n# \(title)") }
    }

    /// Finds the first README whose text satisfies a condition.
    init?(where fits: (String) -> Bool) {
        guard let folder = Self.folder,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else {
            return nil
        }
        let texts = names.sorted().compactMap {
            try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        guard let text = texts.first(where: fits) else { return nil }
        self.text = text
        blocks = Self.codeBlocks(of: text)
    }

    /// The folder of READMEs: `$LAYERED_PREFS_READMES`, or else a folder next to the repository.
    private static var folder: String? {
        let environment = ProcessInfo.processInfo.environment["LAYERED_PREFS_READMES"]
        let beside = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../shared/seeds")
        return [environment, beside.standardizedFileURL.path].compactMap(\.self)
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    static var isThere: Bool { folder != nil }

    /// The declarations in running text and tables, such as `@Pref var x: Int = 1`.
    var inlineDeclarations: [String] {
        let pieces = text.split(separator: "\n").flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        }
        return pieces.filter { $0.hasPrefix("@") && $0.contains(" var ") }
    }

    private static func codeBlocks(of text: String) -> [String] {
        var blocks: [String] = []
        var block: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            switch (block, line.trimmingCharacters(in: .whitespaces)) {
            case (nil, "```swift"): block = []
            case (let lines?, "```"):
                blocks.append(lines.joined(separator: "\n"))
                block = nil
            case (_?, _): block?.append(line)
            case (nil, _): break
            }
        }
        return blocks
    }
}
