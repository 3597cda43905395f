import TestSupport
import Foundation
import PrefsSystem
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

/// The system calls of a write, traced.
@Suite(.serialized, .enabled(if: Tool.mayTrace, "strace is absent or not allowed"))
struct WriteTraceTests {
    private static let calls = [
        "openat", "flock", "newfstatat", "fstat", "read", "write", "fchmod", "utimensat", "fsync", "renameat",
        "close", "fsetxattr",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try restore()
    }

    private func restore() throws {
        try folder.write("<plist><dict><key>a</key><string>old</string></dict></plist>", to: "f.plist")
    }

    /// A system call: its name, its index among its thread's calls of that name, and its line.
    private struct Call {
        var name: String
        var number: Int
        var line: String
    }

    /// Returns the calls of a write, from the lock to the folder's fsync.
    private func calls() throws -> [Call] {
        let strace = try #require(Tool.strace).path
        let wrapper = [
            strace, "-f", "-y", "-qq", "-o", folder["trace"], "-e",
            "trace=\(Self.calls.joined(separator: ","))",
        ]
        #expect(try ChildProcess("ChildJobs", ["set", folder["f.plist"]], wrapper: wrapper).wait().isSuccess)
        let lines = try String(contentsOfFile: folder["trace"], encoding: .utf8).split(separator: "\n").map(
            String.init)
        var counts: [String: Int] = [:]
        var result: [Call] = []
        for line in lines {
            let words = line.split(whereSeparator: { " (".contains($0) })
            guard words.count > 1 else { continue }
            let name = String(words[1])
            let key = "\(words[0]) \(words[1])"
            counts[key, default: 0] += 1
            guard line.contains(folder.path) else { continue }
            result.append(Call(name: name, number: counts[key] ?? 0, line: line))
        }
        return result
    }

    @Test func `the order is write, sync, rename, sync of the folder`() throws {
        let calls = try calls()
        let write = try #require(calls.firstIndex { $0.name == "write" && $0.line.contains(".tmp>") })
        let sync = try #require(calls.firstIndex { $0.name == "fsync" && $0.line.contains(".tmp>") })
        let rename = try #require(calls.firstIndex { $0.name == "renameat" })
        let folderSync = try #require(
            calls.lastIndex { $0.name == "fsync" && $0.line.contains("\(folder.path)>") })
        #expect(write < sync && sync < rename && rename < folderSync)
    }

    /// Until the access list is set, the group bits of the mode apply to the group itself.
    @Test func `the access list is set before the mode`() throws {
        let file = try Descriptor(opening: folder["f.plist"], O_RDONLY)
        let entries: [(UInt8, UInt8)] = [(0x01, 6), (0x02, 6), (0x04, 0), (0x10, 6), (0x20, 0)]
        var list: [UInt8] = [2, 0, 0, 0]
        for (tag, rights) in entries { list += [tag, 0, rights, 0, 0, 0, 0, 0] }
        let result = ExtendedAttributes.set(ExtendedAttributes.accessList, to: list, in: file.number)
        guard result == 0 else { return }
        let calls = try calls().filter { $0.line.contains(".tmp>") }
        let access = try #require(calls.firstIndex { $0.name == "fsetxattr" })
        let mode = try #require(calls.firstIndex { $0.name == "fchmod" && $0.line.contains("0660") })
        #expect(access < mode)
    }

    @Test func `a write that finds its value in the file syncs the folder all the same`() throws {
        #expect(try ChildProcess("ChildJobs", ["set", folder["f.plist"]]).wait().isSuccess)
        let calls = try calls()
        #expect(!calls.contains { $0.name == "renameat" })
        #expect(calls.contains { $0.name == "fsync" && $0.line.contains("\(folder.path)>") })
    }

    /// Any of these calls may report an exceeded quota: the quota for inodes when the file is created, on
    /// some file systems only when the file is synced. Few kernels that run tests have quotas, so the tracer
    /// injects the error.
    @Test(arguments: ["openat", "write", "fsync", "renameat"])
    func `an exceeded quota is an error and the old file stays`(_ name: String) throws {
        let outcome = try #require(try outcome(skippingRejected: name))
        #expect(!outcome.isSuccess)
        #expect(outcome.output.contains("Disk quota exceeded"), "\(outcome.output)")
        #expect(try PrefsDocument(parsing: folder.read("f.plist"), path: nil).content == ["a": "old"])
        #expect(folder.names == [".f.plist.lock", "f.plist", "trace"])
    }

    /// Returns the outcome of a write whose call on the temporary file fails. The number of earlier calls of
    /// that name varies a little from run to run, so it may take several attempts to hit the right one.
    private func outcome(skippingRejected name: String) throws -> (isSuccess: Bool, output: String)? {
        let strace = try #require(Tool.strace).path
        for _ in 0..<50 {
            try restore()
            let call = try #require(try calls().first { $0.name == name && $0.line.contains(".tmp") })
            try restore()
            let wrapper = [
                strace, "-f", "-y", "-qq", "-o", folder["trace"], "-e", "trace=\(name)",
                "-e", "inject=\(name):error=EDQUOT:when=\(call.number)",
            ]
            let outcome = try ChildProcess("ChildJobs", ["set", folder["f.plist"]], wrapper: wrapper).wait()
            let trace = try String(contentsOfFile: folder["trace"], encoding: .utf8).split(separator: "\n")
            if trace.contains(where: { $0.contains(".tmp") && $0.contains("INJECTED") }) { return outcome }
        }
        return nil
    }

    @Test func `being killed after any system call leaves a complete file`() throws {
        let strace = try #require(Tool.strace).path
        var killed = 0
        for call in try calls() {
            try restore()
            let wrapper = [
                strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call.name)",
                "-e", "inject=\(call.name):signal=KILL:when=\(call.number)",
            ]
            let outcome = try ChildProcess("ChildJobs", ["set", folder["f.plist"]], wrapper: wrapper).wait()
            #expect(!outcome.output.contains("strace:"), "\(outcome.output)")
            if !outcome.isSuccess { killed += 1 }
            let content = try PrefsDocument(parsing: folder.read("f.plist"), path: nil).content
            #expect(content == ["a": "old"] || content == ["a": "new"], "\(call.line)")
        }
        #expect(killed > 8)
        _ = try PrefsFileWriter(folder["f.plist"]).update {
            try ($0 ?? .empty).editing([.set(["a"], to: "last")], as: .xmlPropertyList)
        }
        #expect(folder.names == [".f.plist.lock", "f.plist", "trace"])
    }
}
