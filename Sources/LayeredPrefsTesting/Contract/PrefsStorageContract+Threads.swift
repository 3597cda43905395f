import LayeredPrefs

extension PrefsStorageContract {
    /// The rules for concurrent use by several threads.
    static let threads = [
        Check("concurrent writes of different keys are all kept") { trial in
            guard let subject = try await trial.writable() else { return }
            let storage = subject.storage
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0..<5 {
                            try storage.setValue(
                                .integer(Int128(number)), forKey: "w\(writer)-\(number)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            for writer in 0..<4 {
                for number in 0..<5 {
                    try trial.expect(.integer(Int128(number)), at: "w\(writer)-\(number)", in: storage)
                }
            }
        },
        Check("a reader concurrent with a writer finds a complete value, old or new") { trial in
            guard let subject = try await trial.writable() else { return }
            let storage = subject.storage
            try storage.setValue([0, 0], forKey: "pair")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 1...10 {
                        let value = PrefsValue.integer(Int128(number))
                        try storage.setValue([value, value], forKey: "pair")
                    }
                }
                for _ in 0..<2 {
                    group.addTask { for _ in 0..<100 { try trial.expectPair(in: storage) } }
                }
                try await group.waitForAll()
            }
            try trial.expect([10, 10], at: "pair", in: storage)
        },
    ]
}

extension Trial {
    fileprivate func expectPair(in storage: any PrefsStorage) throws {
        let value = storage.snapshot.candidates(forKey: "pair").first?.value
        guard case .array(let elements)? = value, elements.count == 2, elements[0] == elements[1] else {
            throw violation("a reader found \(shown(value)), expected two equal elements")
        }
    }
}
