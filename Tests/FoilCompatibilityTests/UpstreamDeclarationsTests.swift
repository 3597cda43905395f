import FoilCompatibility
import TestSupport
import Testing

private final class Reference: UserDefaultsSerializable {
    let count: Int

    init(_ count: Int) { self.count = count }

    var storedValue: [String: Any] { ["count": count, "name": "a"] }

    convenience init?(storedValue: [String: Any]) {
        guard let count = storedValue["count"] as? Int else { return nil }
        self.init(count)
    }
}

private struct Mixed: UserDefaultsSerializable, Equatable {
    var number = 1

    var storedValue: [Any] { [number, "x"] }

    init(_ number: Int) { self.number = number }
    init?(storedValue: [Any]) {
        guard let number = storedValue.first as? Int else { return nil }
        self.number = number
    }
}

private struct Counted: UserDefaultsSerializable, Equatable {
    var number: Int

    var storedValue: NSNumber { NSNumber(value: number) }

    init(_ number: Int) { self.number = number }
    init(storedValue: NSNumber) { number = storedValue.intValue }
}

private enum Level: String, UserDefaultsSerializable { case low, high }

/// Reads a property back through a new property, as after a restart.
private func roundTrip<Value: UserDefaultsSerializable>(_ value: Value) -> Value? {
    let storage = DictionaryPrefsStorage()
    FoilDefaultStorageOptional<Value>(key: "k", storage: storage).wrappedValue = value
    return FoilDefaultStorageOptional<Value>(key: "k", storage: storage).wrappedValue
}

private let all: [UpstreamDeclarations] = [
    UpstreamDeclarations("FoilDefaultStorage.swift", [20]) { () throws in
        let storage = DictionaryPrefsStorage()
        // The type is neither `Sendable` nor a value type.
        let property = FoilDefaultStorage(wrappedValue: Reference(1), key: "k", storage: storage)
        property.wrappedValue = Reference(4)
        #expect(property.wrappedValue.count == 4)
        #expect(storage.snapshot["k"] == ["count": 4, "name": "a"])
    },
    UpstreamDeclarations("FoilDefaultStorage.swift", [39]) { () throws in
        let property = FoilDefaultStorage(wrappedValue: 1, key: "k", storage: DictionaryPrefsStorage())
        var received: [String] = []
        #if OpenCombine
            let publisher: AnyPublisher<Int, Never> = property.projectedValue
            let cancellable = publisher.map { "\($0)" }.sink { received.append($0) }
        #else
            let cancellable = property.projectedValue.sink { received.append("\($0)") }
        #endif
        property.wrappedValue = 2
        #expect(received == ["1", "2"])
        cancellable.cancel()
    },
    UpstreamDeclarations("FoilDefaultStorageOptional.swift", [20]) { () throws in
        let property = FoilDefaultStorageOptional<Reference>(key: "k", storage: DictionaryPrefsStorage())
        property.wrappedValue = Reference(2)
        #expect(property.wrappedValue?.count == 2)
    },
    UpstreamDeclarations("FoilDefaultStorageOptional.swift", [43]) { () throws in
        let property = FoilDefaultStorageOptional<Int>(key: "k", storage: DictionaryPrefsStorage())
        var received: [Int?] = []
        let cancellable = property.projectedValue.sink { received.append($0) }
        property.wrappedValue = 2
        property.wrappedValue = nil
        #expect(received == [nil, 2, nil])
        cancellable.cancel()
    },
    UpstreamDeclarations("UserDefaultsSerializable.swift", [36]) { () throws in
        #expect(roundTrip(Mixed(3)) == Mixed(3))
        #expect(roundTrip(Counted(3)) == Counted(3))
        #expect(roundTrip([Mixed(3)]) == [Mixed(3)])
    },
    UpstreamDeclarations("UserDefaultsSerializable.swift", [103, 105]) { () throws in
        let url = URL(string: "https://a.org/")!
        #expect(url.storedValue == url && URL(storedValue: url) == url)
        #expect(roundTrip(url) == url)
        let storage = DictionaryPrefsStorage(values: ["k": "not a valid url"])
        #expect(FoilDefaultStorageOptional<URL>(key: "k", storage: storage).wrappedValue == nil)
    },
    UpstreamDeclarations("UserDefaultsSerializable.swift", [137, 151, 165]) { () throws in
        // Invalid elements are omitted.
        #expect([Level](storedValue: ["low", "none"]) == [.low])
        #expect(Set<Level>(storedValue: ["low", "none"]) == [.low])
        #expect([String: Level](storedValue: ["a": "low", "b": "none"]) == ["a": .low])
        let storage = DictionaryPrefsStorage(values: ["k": ["low", "none"]])
        #expect(FoilDefaultStorageOptional<[Level]>(key: "k", storage: storage).wrappedValue == [.low])
    },
]

/// Every declaration of Foil that was once absent or different.
@Suite struct FoilDeclarationsTests {
    @Test(arguments: all)
    func `a declaration behaves as upstream's`(declarations: UpstreamDeclarations) throws {
        try declarations.check()
        #expect(try declarations.isDocumented(in: "FoilCompatibility"))
    }

    @Test func `every declaration is in the table once`() {
        #expect(all.flatMap(\.lines).count == 10)
        #expect(UpstreamDeclarations.mismatches(of: all, package: "Foil").isEmpty)
    }

    @Test func `an equal value that is written to Foundation's defaults is published again`() throws {
        let suite = DefaultsSuite()
        defer { withExtendedLifetime(suite) {} }
        let property = FoilDefaultStorage(
            wrappedValue: false, key: "b-\(suite.name)", userDefaults: suite.defaults)
        var received: [Bool] = []
        let cancellable = property.projectedValue.sink { received.append($0) }
        property.wrappedValue = true
        property.wrappedValue = true
        property.wrappedValue = false
        #expect(received == [false, true, true, false])
        cancellable.cancel()
    }
}
