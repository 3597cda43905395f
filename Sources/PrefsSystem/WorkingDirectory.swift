/// The process's working directory at one moment, for paths that must keep their meaning when the process changes its
/// working directory.
package struct WorkingDirectory: Sendable {
    private let path: Result<String, Errno>

    /// The working directory at this moment.
    package static var current: WorkingDirectory {
        guard let path = unsafe getcwd(nil, 0) else { return WorkingDirectory(path: .failure(.last)) }
        defer { unsafe free(path) }
        // A path with repaired bytes would be a different path.
        guard let text = unsafe String(validatingCString: path) else {
            return WorkingDirectory(path: .failure(Errno(EILSEQ)))
        }
        return WorkingDirectory(path: .success(text))
    }

    /// Returns the absolute path of a path that may be relative to the directory. Links and `..` stay as they are;
    /// an empty path, which names nothing, stays empty.
    ///
    /// - Throws: The reason why the directory has no path, for example that it has been removed.
    package func absolute(_ path: String) throws(Errno) -> String {
        let slash = UInt8(ascii: "/")
        var rest = path.utf8[...]
        guard let first = rest.first, first != slash else { return path }
        let folder = try self.path.get()
        while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2).drop { $0 == slash } }
        if rest.isEmpty { return folder }
        return folder + (folder == "/" ? "" : "/") + String(Substring(rest))
    }
}
