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
        Check("a write to a path replaces everything at and below it") { trial in
            guard let subject = try await trial.writable(["name": "ada"]), !subject.keysAreLiteral else {
                return
            }
            let storage = subject.storage
            try storage.setValue(1, forKey: "tree.left")
            try storage.setValue(2, forKey: "tree.right.leaf")
            try storage.setValue(["other": 3], forKey: "tree")
            try trial.expect(3, at: "tree.other", in: storage)
            for key in ["tree.left", "tree.right", "tree.right.leaf"] {
                try trial.expect(nil, at: key, in: storage)
            }
            try storage.setValue(4, forKey: "tree.left")
            try storage.setValue(nil, forKey: "tree")
            for key in ["tree", "tree.left", "tree.other"] { try trial.expect(nil, at: key, in: storage) }
            try trial.expect("ada", at: "name", in: storage)
        },
        Check("a write below a stored dictionary keeps its other values") { trial in
            guard let subject = try await trial.writable(), !subject.keysAreLiteral else { return }
            let storage = subject.storage
            try storage.setValue(["port": 1, "host": "a", "limits": ["low": 1, "high": 9]], forKey: "box")
            try storage.setValue(2, forKey: "box.port")
            try storage.setValue(3, forKey: "box.limits.low")
            try trial.expect(2, at: "box.port", in: storage)
            try trial.expect("a", at: "box.host", in: storage)
            try trial.expect(["low": 3, "high": 9], at: "box.limits", in: storage)
            try storage.setValue(nil, forKey: "box.host")
            try trial.expect(nil, at: "box.host", in: storage)
            try trial.expect(2, at: "box.port", in: storage)
            try trial.expect(9, at: "box.limits.high", in: storage)
        },
        Check("several values are stored and removed together") { trial in
            guard let subject = try await trial.writable(["name": "ada", "place": "here"]) else { return }
            try subject.storage.setValues(["count": 3, "name": "ben", "place": nil, "word": "w"])
            for (key, value) in ["count": 3, "name": "ben", "place": nil, "word": "w"]
                as [String: PrefsValue?]
            {
                try trial.expect(value, at: key, in: subject.storage)
            }
        },
        Check("if one of several values cannot be stored, none is") { trial in
            guard let subject = try await trial.writable(["name": "ada", "place": "here"]) else { return }
            let storage = subject.storage
            guard let rejected = try rejectedEdit(of: storage) else { return }
            let before = storage.snapshot.dictionary
            var values: [String: PrefsValue?] = ["first": 1, "name": "ben", "place": nil, "zone": 2]
            values[rejected.key] = .some(rejected.value)
            do {
                try storage.setValues(values)
            } catch is PrefsError {
                let after = storage.snapshot.dictionary
                return try trial.expect(
                    after == before, "the contents are \(after), and were \(before) before a write that threw"
                )
            }
            throw trial.violation("setValues stored \(rejected.value), which setValue rejects")
        },
        Check("a date keeps its fraction of a second") { trial in
            guard let subject = try await trial.writable(), !subject.roundsDates else { return }
            let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
            do { try subject.storage.setValue(.date(date), forKey: "date") } catch is PrefsError { return }
            try trial.expect(.date(date), at: "date", in: subject.storage)
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

    /// Values of each form, including extreme ones, as an XML property list preserves them. Dates are in whole
    /// seconds. There is no negative zero, because Foundation drops its sign when it writes one.
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

    /// Returns a write that the storage rejects; `nil` if there is none among many.
    private static func rejectedEdit(
        of storage: any PrefsStorage
    ) throws -> (key: String, value: PrefsValue)? {
        let edits = values.map { ("value", $0) } + names.map { ($0, 1) }
        for (key, value) in edits as [(String, PrefsValue)] {
            do { try storage.setValue(value, forKey: key) } catch is PrefsError { return (key, value) }
            try storage.setValue(nil, forKey: key)
        }
        return nil
    }

    private static let names = [
        "plain", "dotted.name", "dotted.other", "deep.er.name", "with space", "grün 🌱", "a/b", "<&>", "UPPER",
        "upper", ".leading", "trailing.", "two..dots", String(repeating: "long", count: 100),
    ]
}

extension Trial {
    /// Expects a value to be stored exactly, or rejected with a `PrefsError` without changing anything.
    fileprivate func expectWritten(_ value: PrefsValue, at key: String, in storage: any PrefsStorage) throws {
        let snapshot = storage.snapshot
        let before = snapshot[key]
        let generation = storage.changeSource?.generation
        do {
            try storage.setValue(value, forKey: key)
        } catch is PrefsError {
            try expect(before, at: key, in: storage)
            return try expect(
                storage.snapshot.keys == snapshot.keys,
                "a write of \"\(key)\" threw, but keys came or went: "
                    + "\(storage.snapshot.keys.symmetricDifference(snapshot.keys).sorted())")
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
