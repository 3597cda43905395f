import FileWatching
import LayeredPrefs

import PrefsSystem

/// The state of one file of the layers.
struct FileReport {
    let layer: String
    let path: String
    let problem: PrefsError?
    let status: FileStatus?
    /// The state of its watch; `nil` if it is not watched.
    let watch: FileWatcherStatus.Path?

    var state: String {
        if let problem { return "broken: \(problem.reason)" }
        return status == nil ? "missing" : "ok"
    }

    /// True if this process has permission to write the file or, if it is missing, the nearest existing
    /// folder above it.
    var isWritable: Bool {
        var path = path
        while unsafe access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = String(path[..<slash])
        }
        return unsafe access(path, W_OK) == 0
    }

    var permissions: String {
        guard let status else { return isWritable ? "can be created" : "" }
        return "\(status.text)\(isWritable ? "" : ", read-only for this user")"
    }

    /// The reasons why an edit might not be seen, or might be made by a user who should not.
    var remarks: [String] {
        var remarks: [String] = []
        if let status, status.mode & 0o002 != 0 { remarks.append("writable by every user") }
        if let reason = watch?.reason { remarks.append("polled: \(reason)") }
        if let status, status.kind != S_IFREG { remarks.append("not a regular file") }
        return remarks
    }

    /// The parser's warnings about a file that can be read, such as a key that it has twice.
    var warnings: [String] {
        guard PrefsFileFormat.stem(of: path) != nil, let read = try? PrefsFileReader.read(path),
            let document = try? PrefsDocument(parsing: read.bytes, path: path)
        else { return [] }
        return (document.warnings + document.warningsOfSpellings(in: path)).map { warning in
            var warning = warning
            warning.origin?.layer = layer.isEmpty ? nil : layer
            return "\(warning)"
        }
    }

    var json: OrderedJSON {
        .object([
            ("layer", .string(layer)), ("file", .string(path)), ("exists", .bool(status != nil)),
            ("problem", OrderedJSON(problem.map { "\($0)" })), ("mode", OrderedJSON(status.map(\.octal))),
            ("owner", status.map { OrderedJSON(Int($0.owner)) } ?? .null), ("writable", .bool(isWritable)),
            ("engine", OrderedJSON(watch?.engine.description)),
            ("remarks", .array(remarks.map(OrderedJSON.string))),
        ])
    }
}

/// The mode and owner of a file, as `stat` reports them.
struct FileStatus {
    let mode: mode_t
    let owner: uid_t
    let group: gid_t

    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (mode, owner, group) = (status.st_mode, status.st_uid, status.st_gid)
    }

    var kind: mode_t { mode & S_IFMT }

    var octal: String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }

    /// Mode and owner: `0644 root`.
    var text: String {
        guard let entry = unsafe getpwuid(owner) else { return "\(octal) user \(owner)" }
        return unsafe "\(octal) \(String(cString: entry.pointee.pw_name))"
    }
}
