import Foundation
import Testing

@testable import LayeredPrefs

/// Writes to a daemon's files.
@Suite struct DaemonWritesTests {
    @Test func `a write goes to the administrator's main file if that is a regular file`() throws {
        let daemon = try Daemon()
        try daemon.write("etc.toml", "# mine\nby = \"x\"\n")
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(try daemon.text("etc.toml") == "# mine\nby = \"y\"\n")
        #expect(!daemon.exists("etc/90-local.toml"))
    }

    @Test(arguments: ["", "json", "link"])
    func `in whatever format, empty, or behind a link`(_ kind: String) throws {
        let daemon = try Daemon()
        let name = kind == "json" ? "etc.json" : "etc.toml"
        try daemon.write(name, kind == "json" ? "{}" : "")
        if kind == "link" {
            try daemon.remove(name)
            try daemon.write("elsewhere.toml", "other = 1\n")
            try FileManager.default.createSymbolicLink(
                atPath: daemon.path(name), withDestinationPath: daemon.path("elsewhere.toml"))
        }
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(storage.resolution(for: .by).origin?.file == daemon.path(name))
        #expect(try daemon.text(name).contains("by"))
        #expect(!daemon.exists("etc/90-local.toml"))
        #expect(daemon.open().get(.by) == "y")
    }

    @Test func `else it goes to a drop-in, because a new main file would hide the vendor's`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\nother = 1\n")
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(storage.get(.by) == "y" && storage.snapshot["other"] == 1)
        #expect(try daemon.text("etc/90-local.toml") == "by = \"y\"\n")
        #expect(!daemon.exists("etc.toml"))
        #expect(storage.resolution(for: .by).origin?.file == daemon.path("etc/90-local.toml"))
        storage.reload()
        #expect(try storage.set(.by, to: "z") == .effective)
        #expect(daemon.open().get(.by) == "z")
        try storage.remove(.by)
        #expect(storage.get(.by) == "vendor")
        try daemon.write("etc/90-local.toml", "by = \"edited\"\n")
        storage.reload()
        #expect(storage.get(.by) == "edited")
        try daemon.remove("etc/90-local.toml")
        storage.reload()
        #expect(storage.get(.by) == "vendor")
        #expect(storage.status.allSatisfy { $0.problem == nil })
    }

    @Test func `also beside a masked main file, and in the folder and format there is`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\n")
        try daemon.mask("etc.toml")
        let storage = daemon.open()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(try daemon.text("etc/90-local.toml") == "by = \"y\"\n")
        let other = try Daemon()
        try other.write("etc.json.d/90-local.json", "{}")
        let json = other.open()
        #expect(try json.set(.by, to: "y") == .effective)
        #expect(try other.text("etc.json.d/90-local.json").contains("\"y\""))
        #expect(!other.exists("etc/90-local.toml"))
    }

    @Test func `a later drop-in that sets the key shadows the write`() throws {
        let daemon = try Daemon()
        try daemon.write("usr/95-vendor.toml")
        let storage = daemon.open()
        guard case .shadowed(let origin) = try storage.set(.by, to: "y") else {
            Issue.record("not shadowed")
            return
        }
        #expect(origin.file == daemon.path("usr/95-vendor.toml"))
        #expect(storage.get(.by) == "usr/95-vendor.toml")
        #expect(try daemon.text("etc/90-local.toml") == "by = \"y\"\n")
        // The drop-in shadows a write to the main file, too.
        try daemon.write("etc.toml", "other = 1\n")
        guard case .shadowed = try storage.setValue("z", forKey: "by") else {
            Issue.record("not shadowed")
            return
        }
        #expect(try daemon.text("etc.toml").contains("z"))
    }

    @Test func `a wrong value is not written to a file that does not exist yet`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\n")
        let storage = daemon.open()
        #expect(storage.get(.by) == "vendor")
        #expect(throws: PrefsError.self) { try storage.setValue(1, forKey: "by") }
        #expect(!daemon.exists("etc/90-local.toml") && storage.get(.by) == "vendor")
    }

    @Test func `a write to a new main file that was rejected throws unless it mends the file`() throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml", "by = \"vendor\"\n")
        let storage = daemon.open()
        #expect(storage.get(.by) == "vendor")
        try daemon.write("etc.toml", "by = 1\n")
        storage.reload()
        #expect(storage.get(.by) == "vendor")
        #expect(throws: PrefsError.self) { try storage.setValue(2, forKey: "other") }
        #expect(try daemon.text("etc.toml") == "by = 1\n")
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(storage.get(.by) == "y")
    }

    @Test(arguments: ["usr/90-local.toml", "run/90-local.json"])
    func `a new drop-in that would hide another of its name is rejected`(other: String) throws {
        let daemon = try Daemon()
        try daemon.write(other)
        let storage = daemon.open()
        let error = #expect(throws: PrefsError.self) { try storage.set(.by, to: "y") }
        #expect(error?.code == .notWritable && error?.origin?.file == daemon.path(other))
        #expect(!daemon.exists("etc/90-local.toml") && storage.get(.by) == other)
        // If the other file is hidden already, the write hides nothing more.
        try daemon.write("etc/90-local.toml", "other = 1\n")
        storage.reload()
        #expect(try storage.set(.by, to: "y") == .effective)
        #expect(storage.get(.by) == "y" && daemon.open().get(.by) == "y")
    }

    @Test func `a write to a masked drop-in, or with two folders, fails and changes nothing`() throws {
        let daemon = try Daemon()
        try daemon.mask("etc/90-local.toml")
        try daemon.write("usr.toml")
        let storage = daemon.open()
        #expect(throws: PrefsError.self) { try storage.set(.by, to: "y") }
        #expect(storage.get(.by) == "usr.toml")
        try daemon.write("etc.json.d/10.json", "{}")
        storage.reload()
        let error = #expect(throws: PrefsError.self) { try storage.set(.by, to: "y") }
        #expect(error?.code == .ambiguous)
        #expect(storage.get(.by) == "usr.toml")
    }

    @Test func `a transaction is one write of the drop-in`() throws {
        let daemon = try Daemon()
        let storage = daemon.open()
        try storage.transaction {
            $0.set(.by, to: "a")
            $0.set(PersistentKey("http.port", defaultValue: 80), to: 81)
        }
        let text = try daemon.text("etc/90-local.toml")
        #expect(text.contains("by = \"a\"\n") && text.contains("[http]\nport = 81\n"), "\(text)")
        #expect(storage.get(.by) == "a" && storage.snapshot["http.port"] == 81)
    }
}
