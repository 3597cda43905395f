import LayeredPrefs
import Testing

/// A struct whose first and last name always change together.
private struct Names: Codable, Sendable {
    var first = "generation 0 of a text that is longer than a small string"
    var number = 0
    var last = "generation 0 of a text that is longer than a small string"
}

/// A configuration with any number of fields.
private struct Numbers: Codable, Sendable {
    var numbers: [Int] = []
}

/// A live configuration in optimized code: the compiler inlines reads of `current` into asynchronous
/// functions, which go on with another thread's cache after a suspension.
@Suite struct CurrentConfigurationTests {
    private let folder = TemporaryFolder()

    @Test func `tasks that change threads between reads see one generation at a time, never an older one`()
        async throws
    {
        let storage = PrefsStack {
            PrefsLayer(.user, FilePrefsStorage(path: folder.path("names.json")))
        }
        let names = try Live(Names(), storage)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var (reads, seen) = (0, 0)
                    while seen < 100 {
                        try Task.checkCancellation()
                        let before = names.current
                        await Task.yield()
                        let after = names.current
                        for value in [before, after] {
                            try #require(value.first == value.last)
                            try #require(value.first.hasPrefix("generation \(value.number) of"))
                            try #require(value.number >= seen, "read after generation \(seen)")
                            seen = value.number
                        }
                        reads += 2
                    }
                    return reads
                }
            }
            group.addTask {
                for number in 1...100 {
                    try await names.update {
                        $0.number = number
                        $0.first = "generation \(number) of a text that is longer than a small string"
                        $0.last = $0.first
                    }
                    await Task.yield()
                }
                return 0
            }
            let reads = try await group.reduce(0, +)
            #expect(reads >= 16 * 2)
        }
        #expect(names.current.number == 100)
    }

    @Test(arguments: [10, 100, 1_000, 10_000])
    func `the value of a configuration that is released after its only read is whole`(count: Int) throws {
        let expected = Array(0..<count)
        let numbers = expected.map { PrefsValue.integer(Int128($0)) }
        for _ in 0..<10 {
            let storage = PrefsStack {
                PrefsLayer.defaults(["numbers": .array(numbers), "section": ["numbers": .array(numbers)]])
            }
            #expect(try Self.count(storage) == count)
            #expect(try Self.numbers(storage) == expected)
            #expect(Self.stored(storage) == expected)
        }
    }

    @inline(never)
    private static func count(_ storage: PrefsStack) throws -> Int {
        let live = try Live(Numbers(), storage)
        return live.current.numbers.count
    }

    @inline(never)
    private static func numbers(_ storage: PrefsStack) throws -> [Int] {
        try Live(Numbers(), storage).current.numbers
    }

    /// Reads by a key that is released after the second read. That read finds the value that the first one
    /// has decoded.
    @inline(never)
    private static func stored(_ storage: PrefsStack) -> [Int] {
        let key = PersistentKey("section", defaultValue: Numbers())
        _ = storage.get(key)
        return storage.get(key).numbers
    }
}
