/// A code block of a README as a source file.
struct Snippet {
    /// How a block stands in its file.
    enum Place {
        /// As it is.
        case file
        /// As statements of an asynchronous function, with these parameters; the last is its result where it
        /// has one.
        case function(parameters: String = "", result: String? = nil)
        /// As members of a type.
        case type
        /// As members of a schema.
        case schema
    }

    /// Its number in the README, counted from 1.
    let number: Int
    /// What its class, or the function around it, is called; several blocks have a class of one name.
    var name: String?
    var place = Place.file
    /// What a copy of the README lost or leaves to the reader, and what stands for it.
    var restoring: [(lost: String, whole: String)] = []
    /// Variables of one name, of which all but the first get a number.
    var numbering: String?
    /// Whether the classes lack a storage.
    var lacksStorage = false

    /// The file's text; what was restored must have been there.
    ///
    /// - Parameter prefix: What stands before the number where the snippet has no name.
    func source(of blocks: [String], import module: String) throws -> String {
        guard blocks.indices.contains(number - 1) else {
            throw Failure(description: "there is no block \(number)")
        }
        var code = blocks[number - 1]
        for (lost, whole) in restoring {
            guard code.contains(lost) else { throw Failure(description: "block \(number) has no \(lost)") }
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
        let head = code.contains("import \(module)\n") ? "" : "import Foundation\nimport \(module)\n"
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

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }
}

extension String {
    /// The text with each occurrence replaced by what its number gives.
    ///
    /// - Parameter start: The number of the first to replace, counted from 1.
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
