import Foundation

/// The README of an upstream library, and the Swift code in it.
///
/// The READMEs are read in place and are not part of this package. Their folder is `$LAYEREDPREFS_SEEDS`, or
/// `shared/seeds` in a folder above this file. If the folder is missing, the tests that need it are skipped.
package struct Readme {
    package let text: String
    /// The fenced blocks of Swift code.
    package let blocks: [String]

    /// Finds the first README with a title.
    ///
    /// - Returns: `nil` if there is no such README or no folder of READMEs.
    package init?(mentioning title: String) {
        self.init { $0.contains("\n# \(title)") }
    }

    /// Finds the first README whose text satisfies a condition.
    package init?(where fits: (String) -> Bool) {
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

    private static let folder: String? = {
        if let path = ProcessInfo.processInfo.environment["LAYEREDPREFS_SEEDS"] { return path }
        var parent = URL(filePath: #filePath).deletingLastPathComponent()
        while parent.path != "/" {
            let candidate = parent.appending(path: "shared/seeds").path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
            parent.deleteLastPathComponent()
        }
        return nil
    }()

    package static var isThere: Bool { folder != nil }

    /// The declarations in running text and tables, such as `@Pref var x: Int = 1`.
    package var inlineDeclarations: [String] {
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
