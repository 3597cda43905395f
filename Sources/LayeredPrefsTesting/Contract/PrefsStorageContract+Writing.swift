import FoundationEssentials
import LayeredPrefs

extension PrefsStorageContract {
    /// The rules for writing.
    static let writing = [
        Check("a write can be read back immediately, or throws and changes nothing") { trial in
            guard let subject = try await trial.writable(["value": "before"]) else { return }
            for value in values {
                try trial.expectWritten(value, at: "value", in: subject.storage)
            }
        },
        Check("a write sets exactly the given key, whatever its name") { trial in
            guard let subject = try await trial.writable(["name": "ada"]) else { return }
            for (index, key) in names.enumerated() {
                try trial.expectWritten(.integer(Int128(index)), at: key, in: subject.storage)
            }
            try trial.expect("ada", at: "name", in: subject.storage)
        },
        Check("writing or removing one key does not affect the others") { trial in
            guard let subject = try await trial.writable(["name": "ada", "place": "here"]) else { return }
            let storage = subject.storage
            try storage.setValue("ben", forKey: "name")
            try trial.expect("here", at: "place", in: storage)
            try storage.setValue(nil, forKey: "name")
            try trial.expect(nil, at: "name", in: storage)
            try trial.expect("here", at: "place", in: storage)
            try trial.expect(!storage.snapshot.keys.contains("name"), "the removed key is still listed")
        },
        Check("removing a missing key succeeds and changes nothing") { trial in
            guard let subject = try await trial.writable(["name": "ada"]) else { return }
            let generation = subject.storage.changeSource?.generation
            try subject.storage.setValue(nil, forKey: "absent")
            try trial.expect("ada", at: "name", in: subject.storage)
            try trial.expect(
                subject.storage.changeSource?.generation == generation, "the generation advanced")
        },
        Check("a typed value is written and erased under its key") { trial in
            guard let subject = try await trial.writable() else { return }
            let key = PersistentKey<Int>("count", defaultValue: 1)
            try subject.storage.set(key, to: 5)
            try trial.expect(subject.storage.get(key) == 5, "5 reads as \(subject.storage.get(key))")
            try subject.storage.remove(key)
            try trial.expect(
                subject.storage.get(key) == 1, "after erasing, the key reads as \(subject.storage.get(key))")
        },
        Check("values of a persistent storage survive a restart") { trial in
            guard let subject = try await trial.writable(["name": "ada"]) else { return }
            guard subject.storage.isPersistent else { return }
            guard let reopen = subject.reopen else {
                throw trial.violation("isPersistent is true, but the subject has no `reopen` to check it")
            }
            try subject.storage.setValue("ben", forKey: "name")
            try subject.storage.setValue(["a": [1, 2.5, true]], forKey: "nested")
            let again = try await reopen()
            try trial.expect("ben", at: "name", in: again)
            try trial.expect(["a": [1, 2.5, true]], at: "nested", in: again)
        },
    ]

    /// Values of each form, including extreme ones, as an XML property list preserves them: dates in whole
    /// seconds, and no negative zero, whose sign Foundation drops when it writes one.
    private static let values: [PrefsValue] =
        [
            "", "text", "two\nlines\tand 🌱", .string(String(repeating: "long ", count: 2000)), true, false, 0,
            1,
            -1, .integer(Int128(Int64.max)), .integer(Int128(Int64.min)), .integer(Int128(UInt64.max)),
            .integer(.max), 0.0, 1.0, 0.1, .real(.greatestFiniteMagnitude),
            .real(.leastNonzeroMagnitude),
            .real(.infinity), .real(.nan), .data(Data()), .data(Data([0, 1, 254, 255])),
            .date(Date(timeIntervalSinceReferenceDate: 0)), [], [:],
            [1, "two", [3.0, [:]]], ["a": ["b": ["c": [1]]], "": 1],
        ]

    private static let names = [
        "plain", "dotted.name", "dotted.other", "deep.er.name", "with space", "grün 🌱", "a/b", "<&>", "UPPER",
        "upper", ".leading", "trailing.", "two..dots", String(repeating: "long", count: 100),
    ]
}

extension Trial {
    /// Expects a value to be stored exactly, or rejected with a `PrefsError` without changing anything.
    fileprivate func expectWritten(_ value: PrefsValue, at key: String, in storage: any PrefsStorage) throws {
        let before = storage.snapshot[key]
        let generation = storage.changeSource?.generation
        do {
            try storage.setValue(value, forKey: key)
        } catch is PrefsError {
            return try expect(before, at: key, in: storage)
        } catch {
            throw violation(
                "writing \(value) under \"\(key)\" threw \(type(of: error)), expected a PrefsError")
        }
        try expect(value, at: key, in: storage)
        guard let generation, before != value else { return }
        try expect(
            storage.changeSource?.generation != generation,
            "the generation did not advance when \"\(key)\" went from \(shown(before)) to \(value)")
    }
}
