import Foundation
import Glibc

/// A temporary root with the system's files, and the ways to edit them.
struct Sandbox {
    enum File: String {
        case vendor = "usr/share/myd/com.example.myd.plist"
        case dropIn = "etc/xdg/com.example.myd.plist.d/70-address.plist"
        case user = "home/.config/com.example.myd.plist"
    }

    let root: String
    private let clock: CInt

    init(installing etc: String) throws {
        var template = Array("\(NSTemporaryDirectory())/myd-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for folder in ["usr/share/myd", "etc/xdg", "run", "home"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: etc) where !name.hasSuffix(".service")
        {
            try FileManager.default.copyItem(
                atPath: "\(etc)/\(name)", toPath: "\(root)/usr/share/myd/\(name)")
        }
        clock = open("\(root)/clock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }

    var clockPath: String { "\(root)/clock" }

    func path(_ file: File) -> String { "\(root)/\(file.rawValue)" }

    func remove() { try? FileManager.default.removeItem(atPath: root) }

    /// Writes a temporary file next to the file and renames it, as editors do.
    func replace(_ file: File, with text: String) throws {
        let path = path(file)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path).new"))
        stamp()
        rename("\(path).new", path)
    }

    func delete(_ file: File) throws {
        stamp()
        unlink(path(file))
    }

    /// Runs a program that edits a file.
    func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        stamp()
        try process.run()
        process.waitUntilExit()
    }

    private func stamp() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        var now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        pwrite(clock, &now, 8, 0)
    }
}
