import PrefsSystem
import LayeredPrefs

/// A single run of a check.
final class Trial: Sendable {
    typealias Make = @Sendable ([String: PrefsValue]) async throws -> PrefsStorageSubject

    let rule: String
    let deadline: Duration
    private let make: Make
    /// All subjects of this run, retained so that their places exist until the run ends.
    private let subjects = Lock<[PrefsStorageSubject]>([])

    init(rule: String, deadline: Duration, make: @escaping Make) {
        self.rule = rule
        self.deadline = deadline
        self.make = make
    }

    func subject(_ content: [String: PrefsValue] = [:]) async throws -> PrefsStorageSubject {
        let subject = try await make(content)
        subjects.withLock { $0.append(subject) }
        return subject
    }

    /// Returns a subject to write to; `nil` if the storage is read-only, after checking that a write is
    /// denied.
    func writable(_ content: [String: PrefsValue] = [:]) async throws -> PrefsStorageSubject? {
        let subject = try await subject(content)
        if subject.storage.isWritable { return subject }
        try expectReadOnly(subject.storage)
        return nil
    }

    private func expectReadOnly(_ storage: any PrefsStorage) throws {
        do {
            try storage.setValue("new", forKey: "denied")
        } catch let error as PrefsError where error.code == .notWritable {
            return try expect(nil, at: "denied", in: storage)
        }
        throw violation("isWritable is false, but a write did not throw .notWritable")
    }

    func expect(_ isTrue: Bool, _ reason: @autoclosure () -> String) throws {
        if !isTrue { throw violation(reason()) }
    }

    /// Expects a value from every way of reading.
    func expect(_ value: PrefsValue?, at key: String, in storage: any PrefsStorage) throws {
        let (found, candidate) = (storage.snapshot[key], storage.snapshot.candidates(forKey: key).first)
        try expect(
            candidate?.value == value,
            "candidates(forKey: \"\(key)\") begins with \(shown(candidate?.value)), expected \(shown(value))")
        if candidate?.isText != true {
            try expect(found == value, "snapshot[\"\(key)\"] is \(shown(found)), expected \(shown(value))")
        }
    }

    func violation(_ reason: String) -> PrefsStorageViolation {
        PrefsStorageViolation(rule: rule, reason: reason)
    }

    func shown(_ value: PrefsValue?) -> String { value.map(\.description) ?? "nothing" }
}

extension Trial {
    /// Waits until the condition holds for the recorded elements; a timeout violates the rule.
    func awaiting<Element>(
        _ recorder: Recorder<Element>, _ what: String,
        until condition: @escaping @Sendable ([Element]) -> Bool
    ) async throws {
        do {
            _ = try await recorder.wait(within: deadline, until: condition)
        } catch is RecorderTimeout {
            throw violation("\(what); recorded: \(recorder.elements)")
        }
    }
}
