import Foundation
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable { var limit = 1 }

/// The global variables of a program that ends within a second.
private enum Program {
    static let storage = PrefsStack { PrefsLayer(.user, DictionaryPrefsStorage(values: ["limt": 2])) }
    static let relay = Result { try Live(Relay(), storage) }
    static let part = Result { try Live(Relay(), storage, at: "part") }

    /// Returns the lines about the key that a process wrote to standard error.
    static func lines(_ result: ExitTest.Result?) -> [String] {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            .split(separator: "\n").map(String.init).filter { $0.contains("limt") }
    }

    static let warning = "warning: user: limt: unknown key; did you mean “limit”?"
}

/// The warnings of a program that ends early about keys that its configuration does not have.
@Suite struct UnknownKeysAtExitTests {
    @Test func `a configuration in a global variable is checked when the program ends`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            guard try Program.relay.get().current.limit == 1 else { exit(1) }
            exit(0)
        }
        #expect(Program.lines(result) == [Program.warning])
    }

    @Test func `what was reported before is not reported again at the end`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            _ = try Program.relay.get()
            Program.storage.reportUnknownKeys()
            exit(0)
        }
        #expect(Program.lines(result) == [Program.warning])
    }

    @Test func `a configuration below the root is not checked at the end`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            _ = try Program.part.get()
            exit(0)
        }
        #expect(Program.lines(result) == [])
    }

    @Test func `a program that ends from a subscriber of its diagnostics ends`() async throws {
        await #expect(processExitsWith: .exitCode(3)) {
            let subscription = Program.storage.diagnostics.subscribe { _ in exit(3) }
            _ = try Program.relay.get()
            Program.storage.reportUnknownKeys()
            withExtendedLifetime(subscription) {}
            exit(1)
        }
    }
}
