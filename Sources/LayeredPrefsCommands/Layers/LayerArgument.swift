import PrefsSystem

/// One of the command line's options that make a layer, and its place among them.
///
/// The options' order is the layers' order, which the parser does not tell across options of different
/// names; but it reads the command line from left to right, and counting shows.
struct LayerArgument: Sendable {
    enum Form: Sendable {
        case file(name: String, path: String)
        case variables(prefix: String)
        case setting(String)
        /// A layer that is there already, to look at on its own.
        case selection(String)
    }

    let form: Form
    let place: Int

    private static let count = Lock(0)

    private init(_ form: Form) {
        self.form = form
        place = Self.count.withLock { count in
            count += 1
            return count
        }
    }

    /// `NAME=PATH`, or `NAME` for one that is there already.
    static func layer(_ text: String) throws -> LayerArgument {
        guard let equals = text.firstIndex(of: "=") else { return LayerArgument(.selection(text)) }
        let path = String(text[text.index(after: equals)...])
        guard equals > text.startIndex, !path.isEmpty else { throw Malformed("expected NAME=PATH or NAME") }
        return LayerArgument(.file(name: String(text[..<equals]), path: path))
    }

    static func variables(_ prefix: String) throws -> LayerArgument {
        guard !prefix.isEmpty else { throw Malformed("expected a prefix such as MYD_") }
        return LayerArgument(.variables(prefix: prefix.hasSuffix("_") ? prefix : prefix + "_"))
    }

    static func setting(_ text: String) throws -> LayerArgument {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw Malformed("expected KEY=VALUE")
        }
        return LayerArgument(.setting(text))
    }

    struct Malformed: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
