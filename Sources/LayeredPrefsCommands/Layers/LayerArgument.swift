import ArgumentParser
import PrefsSystem

/// An option of the command line that adds a layer, and its position among such options.
///
/// The order of the options is the order of the layers. The parser does not report the order of options with
/// different names. But it parses the command line from left to right, so counting the calls gives the order.
struct LayerArgument: Sendable {
    enum Form: Sendable {
        case file(name: String, path: String)
        case variables(prefix: String)
        case setting(String)
        /// An existing layer to read on its own.
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

    /// Parses `NAME=PATH`, or `NAME` for an existing layer.
    static func layer(_ text: String) throws -> LayerArgument {
        guard let equals = text.firstIndex(of: "=") else { return LayerArgument(.selection(text)) }
        let path = String(text[text.index(after: equals)...])
        guard equals > text.startIndex, !path.isEmpty else {
            throw ValidationError("expected NAME=PATH or NAME")
        }
        return LayerArgument(.file(name: String(text[..<equals]), path: path))
    }

    static func variables(_ prefix: String) throws -> LayerArgument {
        guard !prefix.isEmpty else { throw ValidationError("expected a prefix such as MYD_") }
        return LayerArgument(.variables(prefix: prefix.hasSuffix("_") ? prefix : prefix + "_"))
    }

    static func setting(_ text: String) throws -> LayerArgument {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw ValidationError("expected KEY=VALUE")
        }
        return LayerArgument(.setting(text))
    }
}
