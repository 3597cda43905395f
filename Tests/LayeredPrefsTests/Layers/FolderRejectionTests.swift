import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Each of a daemon's folders is accepted or rejected on its own.
@Suite struct FolderRejectionTests {
    let daemon: Daemon
    let port = PersistentKey("port", defaultValue: 1, in: 1...65535)
    let host = PersistentKey("host", defaultValue: "none")

    init() throws { daemon = try Daemon() }

    private func open() -> PrefsStack {
        let stack = daemon.open()
        stack.declare(port)
        stack.declare(host)
        return stack
    }

    @Test func `a package's wrong value holds back nothing of the administrator's`() throws {
        try daemon.write("usr/10.toml", "port = 80\n")
        try daemon.write("etc.toml", "host = \"a\"\n")
        let (stack, reported) = (open(), Recorder.diagnostics(of: daemon.diagnostics))
        try daemon.write("usr/10.toml", "port = 70000\n")
        try daemon.write("etc.toml", "host = \"b\"\n")
        stack.reload()
        #expect(stack.get(port) == 80)
        #expect(stack.get(host) == "b")
        let errors = reported.elements.map(\.error)
        #expect(errors.map(\.origin?.file) == [daemon.path("usr/10.toml")])
        #expect(errors.allSatisfy { $0.reason.hasSuffix("; keeping the previous version") })
        #expect(stack.rejections.flatMap(\.files) == [daemon.path("usr/10.toml")])
        reported.stop()
    }

    @Test func `a wrong value holds back the other files of its folder`() throws {
        try daemon.write("etc/10.toml", "port = 80\n")
        try daemon.write("etc.toml", "host = \"a\"\n")
        let stack = open()
        try daemon.write("etc/10.toml", "port = 70000\n")
        try daemon.write("etc.toml", "host = \"b\"\n")
        stack.reload()
        #expect(stack.get(port) == 80)
        #expect(stack.get(host) == "a")
        try daemon.write("etc/10.toml", "port = 81\n")
        stack.reload()
        #expect(stack.get(port) == 81)
        #expect(stack.get(host) == "b")
    }

    @Test func `a drop-in that a rejected folder masks or replaces stays active`() throws {
        try daemon.write("usr.toml", "host = \"vendor\"\n")
        try daemon.write("usr/10.toml", "port = 80\n")
        try daemon.write("usr/20.toml", "host = \"drop-in\"\n")
        let stack = open()
        try daemon.mask("etc/10.toml")
        try daemon.write("etc/20.toml", "port = 70000\n")
        stack.reload()
        #expect(stack.get(port) == 80)
        #expect(stack.get(host) == "drop-in")
        // As long as the mask is rejected, an edit of the masked file becomes active.
        try daemon.write("usr/10.toml", "port = 81\n")
        stack.reload()
        #expect(stack.get(port) == 81)
        try daemon.write("etc/20.toml", "host = \"mine\"\n")
        stack.reload()
        #expect(stack.get(port) == 1)
        #expect(stack.get(host) == "mine")
    }

    @Test func `the main file that a rejected folder replaces stays active`() throws {
        try daemon.write("usr.toml", "host = \"vendor\"\n")
        let stack = open()
        try daemon.write("etc.toml", "host = \"mine\"\nport = 70000\n")
        stack.reload()
        #expect(stack.get(host) == "vendor")
        try daemon.write("etc.toml", "host = \"mine\"\nport = 82\n")
        stack.reload()
        #expect(stack.get(host) == "mine")
        try daemon.remove("etc.toml")
        try daemon.write("etc/10.toml", "port = 70000\n")
        stack.reload()
        #expect(stack.get(host) == "mine")
        #expect(stack.get(port) == 82)
        try daemon.remove("etc/10.toml")
        stack.reload()
        #expect(stack.get(host) == "vendor")
        #expect(stack.get(port) == 1)
    }

    @Test func `a write needs its own folder to be right, and no other one`() throws {
        try daemon.write("usr/10.toml", "port = 80\n")
        try daemon.write("etc.toml", "host = \"a\"\n")
        let stack = open()
        try daemon.write("usr/10.toml", "port = 70000\n")
        stack.reload()
        try stack.set(host, to: "b")
        #expect(stack.get(host) == "b")
        #expect(stack.get(port) == 80)
        try daemon.write("etc/20.toml", "port = 0\n")
        stack.reload()
        let error = #expect(throws: PrefsError.self) { try stack.set(host, to: "c") }
        #expect(error?.origin?.file == daemon.path("etc/20.toml"))
        #expect(try daemon.text("etc.toml") == "host = \"b\"\n")
        try daemon.remove("etc/20.toml")
        stack.reload()
        try stack.set(host, to: "c")
        #expect(stack.get(host) == "c")
        #expect(stack.get(port) == 80)
    }
}
