import Foundation

/// A code block of a README that is compiled as a source file.
package struct Snippet: Sendable {
    /// The context that a block is placed in.
    package enum Place: Sendable {
        /// The block is the whole file.
        case file
        /// The block is the body of an asynchronous function with these parameters and, optionally, this result.
        case function(parameters: String = "", result: String? = nil)
        /// The block consists of members of a type.
        case type
        /// The block consists of members of a schema.
        case schema
    }

    /// The block's number in the README, counted from 1.
    package let number: Int
    /// The name for the block's class or for the function around it, because several blocks have a class of
    /// the same name.
    package var name: String?
    package var place = Place.file
    /// Texts that the copy of the README lost or leaves to the reader, and their replacements.
    package var restoring: [(lost: String, whole: String)] = []
    /// A variable name that occurs several times. All occurrences but the first get a number.
    package var numbering: String?
    /// True if the classes lack a storage.
    package var lacksStorage = false

    package init(
        number: Int, name: String? = nil, place: Place = .file,
        restoring: [(lost: String, whole: String)] = [],
        numbering: String? = nil, lacksStorage: Bool = false
    ) {
        self.number = number
        self.name = name
        self.place = place
        self.restoring = restoring
        self.numbering = numbering
        self.lacksStorage = lacksStorage
    }

    /// Returns the text of the source file. Apart from the changes that the properties describe, only the
    /// name of the imported module differs from the README.
    ///
    /// - Parameter module: The name of the upstream module. The name of this package's module ends in
    ///   `Compatibility`.
    /// - Throws: ``Failure`` if the block does not exist or lacks a text to replace.
    package func source(of blocks: [String], import module: String) throws -> String {
        guard blocks.indices.contains(number - 1) else {
            throw Failure(description: "block \(number) does not exist")
        }
        var code = blocks[number - 1]
        for (lost, whole) in restoring {
            guard code.contains(lost) else { throw Failure(description: "block \(number) lacks \(lost)") }
            code = code.replacingOccurrences(of: lost, with: whole)
        }
        if let numbering { code = code.numbering("var \(numbering):") { "var \(numbering)\($0):" } }
        return placed(named(code), import: module)
    }

    private func named(_ code: String) -> String {
        guard let name else { return code }
        let storage = lacksStorage ? "\n@Storage var storage = .dictionary\n" : ""
        let renamed = code.numbering("class Prefs {", from: 1) { number in
            "class \(name)\(number == 1 ? "" : "\(number)") {\(storage)"
        }
        return renamed.replacingOccurrences(of: "= Prefs()", with: "= \(name)()")
    }

    private func placed(_ code: String, import module: String) -> String {
        let (upstream, ours) = ("import \(module)\n", "import \(module)Compatibility\n")
        let head = code.contains(upstream) ? "" : "import Foundation\n" + ours
        let code = code.replacingOccurrences(of: upstream, with: ours)
        let name = name ?? "block\(number)"
        switch place {
        case .file: return head + code
        case .function(let parameters, let result):
            let type = result == nil ? "" : " -> \(result ?? "")"
            return head + "func \(name)(\(parameters)) async throws\(type) {\n\(code)\n}"
        case .type: return head + "struct \(name) {\n\(code)\n}"
        case .schema:
            return head + "@PrefsSchema final class \(name) {\n@Storage var storage = .dictionary\n\(code)\n}"
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }
}

extension String {
    /// Returns the text with each occurrence replaced by the replacement for its number.
    ///
    /// - Parameter start: The number of the first occurrence to replace, counted from 1.
    fileprivate func numbering(
        _ text: String, from start: Int = 2, _ replacement: (Int) -> String
    ) -> String {
        let parts = components(separatedBy: text)
        var result = parts[0]
        for (number, part) in parts.enumerated().dropFirst() {
            result += (number < start ? text : replacement(number)) + part
        }
        return result
    }
}
