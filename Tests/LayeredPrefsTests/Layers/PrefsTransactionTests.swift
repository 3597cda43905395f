import Foundation
import PrefsDocuments
import PrefsFiles
import TestSupport
import Testing

@testable import LayeredPrefs

struct PrefsTransactionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func storage(_ name: String, timeout: Duration = .seconds(60)) -> FilePrefsStorage {
        var options = FilePrefsStorage.Options()
        options.writing.lockTimeout = timeout
        return FilePrefsStorage(path: folder[name], options: options)
    }

    private func content(_ name: String) throws -> [String: PrefsValue] {
        try PrefsDocument(parsing: folder.read(name), as: .json).content
    }

    @Test func `two layers that are one file are written once`() throws {
        try folder.write("{}", to: "f.json")
        try FileManager.default.createSymbolicLink(atPath: folder["g.json"], withDestinationPath: "f.json")
        let (low, high) = (storage("f.json", timeout: .zero), storage("g.json", timeout: .zero))
        let stack = PrefsStack {
            PrefsLayer("low", low)
            PrefsLayer("high", high)
        }
        let report = try stack.transaction { transaction in
            transaction.setValue(1, forKey: "a", in: "low")
            transaction.setValue(2, forKey: "a", in: "high")
            transaction.setValue(3, forKey: "b", in: "low")
        }
        #expect(report.failures.isEmpty)
        #expect(try content("f.json") == ["a": 2, "b": 3])
        #expect(low.snapshot["a"] == 2)
        #expect(high.snapshot["b"] == 3)
    }

    @Test func `transactions that name two files in opposite orders do not reject each other`() throws {
        for name in ["1.json", "2.json"] { try folder.write("{}", to: name) }
        for (name, target) in [("a", "1.json"), ("b", "2.json"), ("c", "2.json"), ("d", "1.json")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder["\(name).json"], withDestinationPath: target)
        }
        let failures = Tally()
        concurrently(2) { writer in
            let (first, second) = writer == 0 ? ("a.json", "b.json") : ("c.json", "d.json")
            let stack = PrefsStack {
                PrefsLayer("first", storage(first))
                PrefsLayer("second", storage(second))
            }
            for round in 1...30 {
                do {
                    try stack.transaction { transaction in
                        for layer in ["first", "second"] as [PrefsLayer.Name] {
                            transaction.setValue(
                                .integer(Int128(round)), forKey: "w\(writer)", in: layer)
                        }
                    }
                } catch { failures.add() }
            }
        }
        #expect(failures.count == 0)
        for name in ["1.json", "2.json"] { #expect(try content(name) == ["w0": 30, "w1": 30]) }
    }

    @Test func `many writes and removals are one version of the file`() async throws {
        try folder.write("{}", to: "f.json")
        let keys = (0..<200).map { "k\($0 % 10).n\($0)" }
        let file = storage("f.json")
        let stack = PrefsStack { PrefsLayer("user", file) }
        let changes = Tally()
        let observation = stack.observe { _ in changes.add() }
        try stack.transaction { transaction in
            for key in keys { transaction.setValue(true, forKey: key) }
        }
        await stack.settled()
        #expect(changes.count == 1)
        #expect(try content("f.json").count == 10)
        try stack.transaction { transaction in for key in keys { transaction.removeValue(forKey: key) } }
        await stack.settled()
        #expect(changes.count == 2)
        #expect(try content("f.json").isEmpty)
        observation.cancel()
    }
}
