import Foundation
import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

private struct Mini: Codable, Sendable, Equatable {
    var listen = Listener()
    var limit = 512
    var level = 1
}

private struct Listener: Codable, Sendable, Equatable {
    @Setting(in: 1...65535) var port = 8080
}

private struct Taken: Error, CustomStringConvertible {
    let description = "port 22 is taken"
}

/// A live configuration in several files of one layer, some of them rejected.
@Suite struct LiveFilesTests {
    private let folder: TemporaryFolder
    private let reports = Recorder<String>()
    private let calls = Recorder<String>()

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder["etc/mini/mini.toml.d"], withIntermediateDirectories: true)
        try main("listen.port = 9001")
    }

    private func main(_ text: String) throws { try replace("etc/mini/mini.toml", text) }

    private func dropIn(_ text: String) throws { try replace("etc/mini/mini.toml.d/50.toml", text) }

    /// Replaces a file in one step, as editors do.
    private func replace(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder[name]), options: .atomic)
    }

    private func start() throws -> Live<Mini> {
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { [reports] in
            let file = $0.error.origin?.file?.split(separator: "/").last ?? "-"
            reports.record("\($0.severity): \(file): \($0.error.reason)")
        }
        let storage = PrefsStack.daemon(
            "mini", root: folder.path, environment: [:], arguments: [], options: options)
        return try Live(Mini(), storage)
    }

    /// Rejects port 22.
    private func serve(_ mini: Live<Mini>) -> PrefsObservation {
        mini.apply(\.listen) { [calls] old, new in
            calls.record("\(old.port)→\(new.port)")
            if new.port == 22 { throw Taken() }
        }
    }

    /// Waits until the configuration has a value.
    private func wait(for mini: Live<Mini>, until isThere: (Mini) -> Bool) async {
        for await next in mini.updates where isThere(next) { return }
    }

    @Test func `a rejected file holds back the program's part of another one of its layer`() async throws {
        let mini = try start()
        let applying = serve(mini)
        try dropIn(#"level = "x""#)
        _ = try await reports.wait { $0.count == 1 }
        try main("limit = 5\nlisten.port = 9002")
        _ = try await reports.wait { $0.count == 2 }
        try await mini.applied()
        #expect(mini.current == Mini(listen: Listener(port: 9001)) && calls.elements.isEmpty)
        try dropIn("level = 4")
        await wait(for: mini) { $0.level == 4 && $0.listen.port == 9002 && $0.limit == 5 }
        try await mini.applied()
        #expect(calls.elements == ["9001→9002"])
        let problem =
            #"error: 50.toml: expected an integer, found the string "x"; keeping the previous version"#
        #expect(reports.elements.count == 3 && reports.elements[0] == problem)
        #expect(reports.elements[1].hasPrefix("\(problem), also of "))
        #expect(reports.elements[2] == "recovered: 50.toml: now using the new version")
        applying.cancel()
    }

    @Test func `what the program rejects of one file holds back the others of its layer`() async throws {
        let mini = try start()
        let applying = serve(mini)
        try dropIn("listen.port = 22")
        _ = try await reports.wait { $0.count == 1 }
        try main("limit = 8\nlisten.port = 9004")
        _ = try await reports.wait { $0.count == 2 }
        try await mini.applied()
        #expect(mini.current == Mini(listen: Listener(port: 9001)))
        #expect(calls.elements == ["9001→22"])
        // Another value of the part is offered to the handler.
        try dropIn("listen.port = 23")
        await wait(for: mini) { $0.listen.port == 23 && $0.limit == 8 }
        // The same value is offered again when something else is new.
        try dropIn("listen.port = 22")
        _ = try await reports.wait { $0.count == 4 }
        #expect(calls.elements == ["9001→22", "9001→23", "23→22"])
        #expect(mini.current.listen.port == 23)
        applying.cancel()
    }

    @Test func `two files that the program rejects are not offered again and again`() async throws {
        let mini = try start()
        let applying = mini.apply(\.listen) { [calls] old, new in
            calls.record("\(old.port)→\(new.port)")
            throw Taken()
        }
        try dropIn("listen.port = 22")
        _ = try await reports.wait { $0.count == 1 }
        try main("listen.port = 23")
        _ = try await reports.wait { $0.count == 2 }
        try await mini.applied()
        try main("listen.port = 23\nlimit = 9")
        _ = try await reports.wait { $0.count == 3 }
        try await mini.applied()
        // The drop-in, which is above the main file, has not changed.
        #expect(calls.elements == ["9001→22"])
        #expect(mini.current == Mini(listen: Listener(port: 9001)))
        applying.cancel()
    }

    @Test func `a closure that applies the present value misses no edit`() async throws {
        let mini = try start()
        let latch = AsyncLatch()
        let applying = Task {
            try await mini.applyNow(\.listen) { [calls] listen in
                calls.record("\(listen.port)")
                if listen.port == 9001 { await latch.wait() }
                if listen.port == 22 { throw Taken() }
            }
        }
        _ = try await calls.wait { $0.count == 1 }
        try main("listen.port = 9002")
        mini.storage.reload()
        #expect(mini.current.listen.port == 9001)
        await latch.open()
        let registration = try await applying.value
        await wait(for: mini) { $0.listen.port == 9002 }
        try main("listen.port = 22")
        _ = try await reports.wait { $0.count == 1 }
        #expect(calls.elements == ["9001", "9002", "22"])
        #expect(mini.current.listen.port == 9002)
        registration.cancel()
    }

    @Test func `a closure that rejects the present value is not registered`() async throws {
        try main("listen.port = 22")
        let mini = try start()
        let error = await #expect(throws: PrefsError.self) {
            _ = try await mini.applyNow(\.listen) { [calls] listen in
                calls.record("\(listen.port)")
                throw Taken()
            }
        }
        #expect(error?.key == "listen.port" && error?.origin?.position?.description == "1:8")
        #expect(error?.origin?.file?.hasSuffix("mini.toml") == true)
        #expect(error?.reason == "rejected by the program: port 22 is taken")
        try main("listen.port = 23")
        mini.storage.reload()
        #expect(mini.current.listen.port == 23)
        #expect(calls.elements == ["22"])
    }

    @Test func `within a closure, applyNow throws`() async throws {
        let mini = try start()
        let applying = try await mini.applyNow(\.listen) { [calls] _ in
            do {
                _ = try await mini.applyNow(\.limit) { _ in }
            } catch let error as PrefsError {
                calls.record("\(error.code)")
            }
        }
        #expect(calls.elements == ["unsupported"])
        applying.cancel()
    }
}
