import FileWatching
import LayeredPrefs

import PrefsSystem

/// The state of one file of the layers.
struct FileReport {
    let layer: String
    let path: String
    let problem: PrefsError?
    /// True for a locks file. Its problem already names the keys that are locked until it is fixed.
    let holdsLocks: Bool
    /// The file's mode and owner; `nil` if it is missing.
    let status: stat?
    /// The state of the file's watch; `nil` if it is not watched.
    let watch: FileWatcherStatus.Path?

    var state: String { problem != nil ? "broken" : status == nil ? "missing" : "ok" }

    /// True for a broken user file, which 'prefs repair' can put aside.
    var isRepairable: Bool {
        layer == PrefsLayer.Name.user.description
            && problem.map { [.syntax, .tooLarge].contains($0.code) } == true
    }

    /// True if this process may write the file. If the file is missing: if it may write the nearest existing
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
        return "\(status.modeAndOwner)\(isWritable ? "" : ", read-only for this user")"
    }

    /// The reason why users who should not edit the file can do so; `nil` if there are no such users.
    var risk: String? {
        guard problem == nil, let status, !isMask(path) else { return nil }
        // A service's user may own its files, and root may check the files of any user.
        let isExpected =
            status.isOwnedByService || geteuid() == 0 && layer != PrefsLayer.Name.system.description
        return PrefsFilePolicy.unshared.objection(
            mode: status.st_mode, owner: status.st_uid, user: isExpected ? status.st_uid : geteuid())
    }

    /// The reasons why the watcher might miss an edit.
    var remarks: [String] {
        var remarks: [String] = []
        if let reason = watch?.reason { remarks.append("polled: \(reason)") }
        guard let status, !isMask(path) else { return remarks }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if path.hasSuffix(".d") {
            if !isFolder { remarks.append("not a folder") }
        } else if !status.isRegularFile {
            remarks.append(isFolder ? "a folder, not a file" : "not a regular file")
        }
        return remarks
    }

    /// The parser's warnings about a readable file, such as a duplicate key.
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
            ("problem", OrderedJSON(problem.map { "\($0)" })), ("mode", OrderedJSON(status.map(\.octalMode))),
            ("owner", status.map { OrderedJSON(Int($0.st_uid)) } ?? .null), ("writable", .bool(isWritable)),
            ("engine", OrderedJSON(watch?.engine.description)),
            ("remarks", .array(remarks.map(OrderedJSON.string))),
        ])
    }
}

extension PrefsFilePolicy {
    /// A policy that trusts a file's group, because only administrators may belong to it.
    fileprivate static let unshared = PrefsFilePolicy(
        allowsGroupWritable: true, allowsOtherWritable: false, allowsAnyOwner: false)
}

extension stat {
    /// True if the owner is a service: its user id is below 1000, or in the range that systemd uses for dynamic
    /// users.
    fileprivate var isOwnedByService: Bool { st_uid < 1000 || (61184...65519).contains(st_uid) }

    fileprivate var octalMode: String {
        let digits = String(st_mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }

    /// Mode and owner: `0644 root`.
    fileprivate var modeAndOwner: String {
        guard let entry = unsafe getpwuid(st_uid) else { return "\(octalMode) user \(st_uid)" }
        return unsafe "\(octalMode) \(String(cString: entry.pointee.pw_name))"
    }
}
