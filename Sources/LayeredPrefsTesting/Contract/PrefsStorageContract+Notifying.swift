import LayeredPrefs
import PrefsSystem

extension PrefsStorageContract {
    /// The rules for a storage that notifies observers of its changes.
    static let notifying = [
        Check("an observer is notified of a change after the new contents are readable") { trial in
            guard let (subject, source) = try await trial.announcing(["name": "ada"]) else { return }
            let received = Recorder<PrefsValue?>()
            let observation = source.observe { [weak storage = subject.storage] in
                received.record(storage?.snapshot.candidates(forKey: "name").first?.value)
            }
            try await trial.replace("name", by: "ben", in: subject)
            try await trial.awaiting(received, "no observer read \"ben\"") { $0.last == "ben" }
            observation.cancel()
        },
        Check("the generation of a change source increases with every change") { trial in
            guard let (subject, source) = try await trial.announcing(["name": "ada"]) else { return }
            var last = source.generation
            for value in ["ben", "cleo", "ada"] {
                try await trial.replace("name", by: .string(value), in: subject)
                try trial.expect(
                    source.generation > last, "generation \(source.generation) follows generation \(last)")
                last = source.generation
            }
        },
        Check("an observer of a key is notified of its change") { trial in
            guard let (subject, _) = try await trial.announcing(["name": "ada"]) else { return }
            let received = Recorder<PrefsValue?>()
            let body: @Sendable () -> Void = { [weak storage = subject.storage] in
                received.record(storage?.snapshot.candidates(forKey: "name").first?.value)
            }
            guard let observation = subject.storage._registerObserver(under: "name", body) else {
                throw trial.violation(
                    "the storage has a change source, but _registerObserver(under:_:) returned nil")
            }
            try await trial.replace("name", by: "ben", in: subject)
            try await trial.awaiting(received, "the observer of the key did not read \"ben\"") {
                $0.last == "ben"
            }
            observation.cancel()
        },
        Check("a cancelled or released observer is not called again") { trial in
            guard let (subject, source) = try await trial.announcing(["name": "ada"]) else { return }
            let (silent, received) = (Recorder<Int>(), Recorder<Int>())
            let cancelled = source.observe { silent.record(1) }
            cancelled.cancel()
            cancelled.cancel()
            _ = source.observe { silent.record(2) }
            let observation = source.observe { received.record(3) }
            try await trial.replace("name", by: "ben", in: subject)
            try await trial.awaiting(received, "the remaining observer was not called") { !$0.isEmpty }
            try trial.expect(
                silent.elements.isEmpty, "a cancelled or released observer was called: \(silent.elements)")
            observation.cancel()
        },
        Check("an observer may read, observe, cancel and write") { trial in
            guard let (subject, source) = try await trial.announcing(["name": "ada"]) else { return }
            let received = Recorder<PrefsValue?>()
            let observation = source.observe { [weak storage = subject.storage] in
                guard let storage else { return }
                source.observe {}.cancel()
                let name = storage.snapshot.candidates(forKey: "name").first?.value
                received.record(name)
                if storage.isWritable, name == "ben" { _ = try? storage.setValue("cleo", forKey: "name") }
            }
            try await trial.replace("name", by: "ben", in: subject)
            let last: PrefsValue = subject.storage.isWritable ? "cleo" : "ben"
            try await trial.awaiting(received, "the observer did not read \(last)") { $0.contains(last) }
            try trial.expect(last, at: "name", in: subject.storage)
            observation.cancel()
        },
        Check("observers are notified of another program's change once it is loaded") { trial in
            guard let (subject, source) = try await trial.announcing(["name": "ada"]) else { return }
            guard let edit = subject.edit else { return }
            let received = Recorder<PrefsValue?>()
            let observation = source.observe { [weak storage = subject.storage] in
                received.record(storage?.snapshot.candidates(forKey: "name").first?.value)
            }
            try await edit(["name": "ben"])
            subject.storage.reload()
            try await trial.awaiting(received, "no observer read \"ben\"") { $0.last == "ben" }
            observation.cancel()
        },
    ]
}

extension Trial {
    /// Returns a subject that can change and notifies observers; `nil` if the storage cannot.
    ///
    /// - Throws: ``PrefsStorageViolation`` if an observer that reads would wait for itself.
    fileprivate func announcing(
        _ content: [String: PrefsValue]
    ) async throws -> (PrefsStorageSubject, PrefsChangeSource)? {
        guard let (subject, source) = try await changing(content) else { return nil }
        let isReadable = Recorder<Bool>()
        let observation = source.observe { [weak storage = subject.storage, deadline] in
            guard let storage, isReadable.elements.isEmpty else { return }
            // On another thread, because this thread could wait for itself forever, or end the process.
            isReadable.record(BackgroundThread.ends(within: deadline) { _ = storage.snapshot })
        }
        try await replace("name", by: "ben", in: subject)
        // Each check decides whether observers must be called at all.
        let outcome = try? await isReadable.wait(within: deadline) { !$0.isEmpty }
        observation.cancel()
        try expect(
            outcome?.first != false,
            "snapshot does not return within an observer; a mutex is held where advance() is called")
        return try await changing(content)
    }

    private func changing(
        _ content: [String: PrefsValue]
    ) async throws -> (PrefsStorageSubject, PrefsChangeSource)? {
        let subject = try await subject(content)
        guard let source = subject.storage.changeSource else { return nil }
        return subject.storage.isWritable || subject.edit != nil ? (subject, source) : nil
    }
}

extension BackgroundThread {
    /// Runs `body` on a new thread, and returns true if it ends in time.
    fileprivate static func ends(within limit: Duration, _ body: @escaping @Sendable () -> Void) -> Bool {
        let end = BlockingPromise<Void>()
        let isStarted = start(named: "contract") {
            body()
            end.open(())
        }
        return isStarted && end.wait(until: .now + limit) != nil
    }
}
