import Foundation

/// The Swift code blocks of a README, and what it takes to compile them.
struct Readme {
    let blocks: [String]

    /// - Returns: `nil` where the folder of READMEs is not there.
    init?(mentioning title: String) {
        guard let folder = Self.folder,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else {
            return nil
        }
        let texts = names.sorted().compactMap {
            try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        guard let text = texts.first(where: { $0.contains("\n# \(title)") }) else { return nil }
        blocks = Self.codeBlocks(of: text)
    }

    /// `$LAYERED_PREFS_READMES`, else `shared/seeds` beside the repository.
    private static var folder: String? {
        let environment = ProcessInfo.processInfo.environment["LAYERED_PREFS_READMES"]
        let beside = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../shared/seeds")
        return [environment, beside.standardizedFileURL.path].compactMap(\.self)
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    static var isThere: Bool { folder != nil }

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

/// A code block of a README as a source file.
struct Snippet {
    /// How a block stands in its file.
    enum Place {
        /// As it is.
        case file
        /// As statements of an asynchronous function, with these parameters.
        case function(parameters: String = "")
        /// As members of a type.
        case type
    }

    /// Its number in the README, counted from 1.
    let number: Int
    var place = Place.file
    /// What a copy of the README lost or leaves to the reader, and what stands for it.
    var restoring: [(lost: String, whole: String)] = []

    /// The file's text; what was restored must have been there.
    func source(of blocks: [String], import module: String) throws -> String {
        guard blocks.indices.contains(number - 1) else {
            throw Failure(description: "there is no block \(number)")
        }
        var code = blocks[number - 1]
        for (lost, whole) in restoring {
            guard code.contains(lost) else { throw Failure(description: "block \(number) has no \(lost)") }
            code = code.replacingOccurrences(of: lost, with: whole)
        }
        let head = "import \(module)\n"
        switch place {
        case .file: return head + code
        case .function(let parameters): return head + "func block\(number)(\(parameters)) async {\n\(code)\n}"
        case .type: return head + "struct Block\(number) {\n\(code)\n}"
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }
}
