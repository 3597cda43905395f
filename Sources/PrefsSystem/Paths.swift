extension String {
    /// The folder that contains the path: `.` for a bare name.
    package var folder: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path's last component.
    package var fileName: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return String(self[index(after: slash)...])
    }

    /// The absolute path without empty components, `.` and a slash at the end.
    package var withoutEmptyComponents: String { Self.path(of: pathComponents) }

    /// The absolute path without any `..`: each one also removes the component before it, as if there were no
    /// links.
    package var lexicallyNormalized: String {
        var kept: [String] = []
        for component in pathComponents {
            if component == ".." { _ = kept.popLast() } else { kept.append(component) }
        }
        return Self.path(of: kept)
    }

    /// Joins components to an absolute path. Unlike `joined`, this looks up no conformance at the start of the
    /// program.
    private static func path(of components: [String]) -> String {
        var path = ""
        for component in components { path += "/" + component }
        return path.isEmpty ? "/" : path
    }

    private var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
    }
}
