import Foundation
import Testing

/// `prefs watch` on a pseudo-terminal.
@Suite(.serialized) struct LiveTableTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.layered("set", "greeting", "hello")
        return sandbox
    }

    @Test func `a change is drawn and marked, and q restores the terminal`() throws {
        let sandbox = try sandbox()
        let terminal = try PseudoTerminal(sandbox, ["watch"] + sandbox.layers)
        try terminal.wait(for: "hello")
        #expect(!terminal.hasEcho)
        _ = try sandbox.layered("set", "greeting", "goodbye")
        try terminal.wait(for: "goodbye")
        #expect(terminal.output.contains("●"))
        terminal.type("q")
        #expect(terminal.end() == 0)
        #expect(terminal.output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(terminal.hasEcho)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal restores the terminal`(signal: CInt) throws {
        let sandbox = try sandbox()
        let terminal = try PseudoTerminal(sandbox, ["watch"] + sandbox.layers)
        try terminal.wait(for: "hello")
        terminal.send(signal)
        #expect(terminal.end() == 0)
        #expect(terminal.output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(terminal.hasEcho)
    }

    @Test func `another size is drawn again`() throws {
        let sandbox = try sandbox()
        let terminal = try PseudoTerminal(sandbox, ["watch"] + sandbox.layers)
        try terminal.wait(for: "hello")
        let before = terminal.output.utf8.count
        terminal.resize(width: 120, height: 10)
        try terminal.wait(for: "\u{1B}[H", after: before)
        terminal.type("q")
        #expect(terminal.end() == 0)
    }

    @Test func `an error before the first drawing restores the terminal`() throws {
        let sandbox = try sandbox()
        let terminal = try PseudoTerminal(sandbox, ["watch", "--layer", "user="])
        #expect(terminal.end() == 2)
        #expect(terminal.hasEcho)
    }
}
