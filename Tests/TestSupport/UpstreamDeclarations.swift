import Foundation

/// Declarations of an upstream library that were once absent or different, with the outcome and a check of
/// the behavior.
package struct UpstreamDeclarations: CustomStringConvertible, Sendable {
    /// How the declarations exist in this package.
    package enum Outcome: Sendable {
        /// They exist with upstream's spelling and meaning.
        case exists
        /// They exist with another meaning or spelling. The module's guide gives the reason, in these words.
        case differs(String)
        /// They do not exist. The module's guide gives the reason, in these words.
        case impossible(String)
    }

    /// The name of upstream's file.
    package let file: String
    /// The lines on which the declarations begin.
    package let lines: [Int]
    package let outcome: Outcome
    /// Throws or records an issue if the behavior differs from the outcome.
    package let check: @Sendable () throws -> Void

    package init(
        _ file: String, _ lines: [Int], _ outcome: Outcome = .exists,
        _ check: @escaping @Sendable () throws -> Void
    ) {
        self.file = file
        self.lines = lines
        self.outcome = outcome
        self.check = check
    }

    package var description: String { "\(file):\(lines.map(String.init).joined(separator: ","))" }
}

extension UpstreamDeclarations {
    /// Returns true if the declarations match upstream's, or if the module's guide documents why they do not.
    package func isDocumented(in module: String) throws -> Bool {
        let reason: String
        switch outcome {
        case .exists: return true
        case .differs(let words), .impossible(let words): reason = words
        }
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let guide = root.appending(path: "Sources/\(module)/\(module).docc/\(module).md")
        return try String(contentsOf: guide, encoding: .utf8).contains(reason)
    }

    /// Returns the places that a list names more than once, or that differ from upstream's list. That list is
    /// `shared/reference/upstream-symbols.tsv` in a folder above this file, if it is available.
    package static func mismatches(of declarations: [UpstreamDeclarations], package name: String) -> [String]
    {
        let places = declarations.flatMap { entry in entry.lines.map { "\(entry.file):\($0)" } }
        let repeated = Dictionary(grouping: places, by: \.self).filter { $0.value.count > 1 }.keys
        guard let expected = list(of: name) else { return Array(repeated) }
        return Array(repeated) + Set(places).symmetricDifference(expected)
    }

    private static func list(of name: String) -> Set<String>? {
        var parent = URL(filePath: #filePath).deletingLastPathComponent()
        while parent.path != "/" {
            let file = parent.appending(path: "shared/reference/upstream-symbols.tsv")
            if let text = try? String(contentsOf: file, encoding: .utf8) {
                let fields = text.split(separator: "\n").map {
                    $0.split(separator: "\t", omittingEmptySubsequences: false)
                }
                return Set(
                    fields.filter { $0[0] == name }.map { String($0[1].split(separator: "/").last ?? "") })
            }
            parent.deleteLastPathComponent()
        }
        return nil
    }
}
