import LayeredPrefs

extension PrefsStorageContract {
    /// The rules for reading.
    static let reading = [
        Check("a key that was never set has no value") { trial in
            let storage = try await trial.subject(["name": "ada"]).storage
            try trial.expect(nil, at: "absent", in: storage)
            try trial.expect(nil, at: "absent.child", in: storage)
            try trial.expect(!storage.snapshot.keys.contains("absent"), "the key is listed in snapshot.keys")
        },
        Check("a stored value is found under its key") { trial in
            let content: [String: PrefsValue] = ["name": "ada", "place": "", "word": "grün 🌱"]
            let storage = try await trial.subject(content).storage
            for (key, value) in content { try trial.expect(value, at: key, in: storage) }
        },
        Check("a snapshot lists exactly the keys of its dictionary, each with a value") { trial in
            let snapshot = try await trial.subject(["name": "ada", "place": "here"]).storage.snapshot
            let dictionary = snapshot.dictionary
            try trial.expect(
                snapshot.keys == Set(dictionary.keys),
                "keys are \(snapshot.keys.sorted()), the dictionary has \(dictionary.keys.sorted())")
            for (key, value) in dictionary {
                try trial.expect(
                    snapshot.candidates(forKey: key).contains { $0.value == value }
                        || value.dictionary != nil, "\(key) is listed, but has no candidate")
            }
        },
        Check("a typed key reads its default if the storage has no value of its type") { trial in
            let storage = try await trial.subject(["name": "ada"]).storage
            let wrong = PersistentKey<Int>("name", defaultValue: 7)
            let absent = PersistentKey<String>("absent", defaultValue: "none")
            let right = PersistentKey<String>("name", defaultValue: "none")
            try trial.expect(storage.get(wrong) == 7, "text read as an integer is \(storage.get(wrong))")
            try trial.expect(storage.get(absent) == "none", "an absent key is \(storage.get(absent))")
            try trial.expect(storage.get(right) == "ada", "the text is \"\(storage.get(right))\"")
        },
        Check("a snapshot never changes") { trial in
            let subject = try await trial.subject(["name": "ada"])
            let before = subject.storage.snapshot
            try await trial.replace("name", by: "ben", in: subject)
            try trial.expect(
                before.candidates(forKey: "name").first?.value == "ada",
                "an older snapshot shows \(trial.shown(before["name"])) after a change")
        },
        Check("in a stack, a value's origin is that of the storage, with the layer's name") { trial in
            let storage = try await trial.subject(["name": "ada"]).storage
            let stack = PrefsStack { PrefsLayer("tested", storage) }
            for candidate in storage.snapshot.candidates(forKey: "name").prefix(1) {
                var expected = candidate.origin
                // A stack gives its own names to the layers within it.
                let layer = stack.snapshot.candidates(forKey: "name").first?.origin.layer
                try trial.expect(
                    layer?.hasPrefix("tested") == true, "the layer is \(layer ?? "not named")")
                expected.layer = layer
                let origin = stack.snapshot.candidates(forKey: "name").first?.origin
                try trial.expect(
                    origin == expected,
                    "the origin is \(origin.map(\.description) ?? "unknown"), expected \(expected)")
            }
        },
        Check("a value of the wrong type is rejected with its origin") { trial in
            let storage = try await trial.subject(["name": "ada"]).storage
            let number = PersistentKey<Int>("name", defaultValue: 7)
            let snapshot = storage.snapshot
            let (origin, rejected) = (
                snapshot.candidates(forKey: "name").first?.origin, snapshot.resolution(for: number).rejected
            )
            try trial.expect(rejected.count == 1, "\(rejected.count) values are rejected, expected 1")
            try trial.expect(
                rejected.first?.origin == origin, "the error has another origin than the value: \(rejected)")
        },
        Check("the status lists at least one source, and no problem for a working one") { trial in
            let storage = try await trial.subject(["name": "ada"]).storage
            try trial.expect(!storage.status.isEmpty, "the status is empty")
            let problems = storage.status.compactMap(\.problem)
            try trial.expect(problems.isEmpty, "a working source has the problem \(problems)")
            try trial.expect(
                storage.isWritable == storage.status.contains(where: \.isWritable),
                "isWritable is \(storage.isWritable), but the status of the sources disagrees")
        },
        Check("rechecking without a change changes nothing") { trial in
            let storage = try await trial.subject(["name": "ada"]).storage
            let generation = storage.changeSource?.generation
            storage.reload()
            try trial.expect("ada", at: "name", in: storage)
            try trial.expect(storage.changeSource?.generation == generation, "the generation advanced")
        },
        Check("rechecking loads another program's change before it returns") { trial in
            let subject = try await trial.subject(["name": "ada", "place": "here"])
            guard let edit = subject.edit else { return }
            let generation = subject.storage.changeSource?.generation
            try await edit(["name": "ben"])
            subject.storage.reload()
            try trial.expect("ben", at: "name", in: subject.storage)
            try trial.expect(nil, at: "place", in: subject.storage)
            let now = subject.storage.changeSource?.generation
            try trial.expect(now == nil || now != generation, "the generation did not advance")
        },
    ]
}

extension Trial {
    /// Changes a value by a write or an edit; does nothing if the storage supports neither.
    func replace(_ key: String, by value: PrefsValue, in subject: PrefsStorageSubject) async throws {
        if subject.storage.isWritable {
            try subject.storage.setValue(value, forKey: key)
        } else if let edit = subject.edit {
            try await edit([key: value])
            subject.storage.reload()
        }
    }
}
