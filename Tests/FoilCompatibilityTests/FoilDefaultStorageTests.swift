import FoilCompatibility
import Foundation
import LayeredPrefs
import Synchronization
import TestSupport
import Testing

private enum Level: String, UserDefaultsSerializable { case low, high }

private enum Both: String, Codable, UserDefaultsSerializable { case one, two }

private struct User: Codable, UserDefaultsSerializable, Equatable {
    let id: UUID
    let name: String
}

@Suite struct FoilDefaultStorageTests {
    let storage = DictionaryPrefsStorage()

    @Test func `a property reads and writes its key`() {
        let count = FoilDefaultStorage(wrappedValue: 3, key: "count", storage: storage)
        #expect(count.wrappedValue == 3)
        count.wrappedValue = 4
        #expect(storage.snapshot["count"] == 4)
        #expect(FoilDefaultStorage(wrappedValue: 0, key: "count", storage: storage).wrappedValue == 4)
    }

    @Test func `an integer beyond its type is rejected`() throws {
        try storage.setValue(128, forKey: "small")
        let small = FoilDefaultStorage(wrappedValue: Int8(3), key: "small", storage: storage)
        #expect(small.wrappedValue == 3)
        #expect(UserDefaultsSerializableRepresentation<Int8>().expectation == "an integer in -128...127")
        #expect(UserDefaultsSerializableRepresentation<UInt64>().expectation == "a non-negative integer")
    }

    @Test func `every supported type round-trips`() {
        expectRoundTrip(true, "a bool")
        expectRoundTrip(Int.max, "int")
        expectRoundTrip(UInt.max, "uint")
        expectRoundTrip(Int8.min, "int8")
        expectRoundTrip(Int16.min, "int16")
        expectRoundTrip(Int32.min, "int32")
        expectRoundTrip(Int64.min, "int64")
        expectRoundTrip(UInt8.max, "uint8")
        expectRoundTrip(UInt16.max, "uint16")
        expectRoundTrip(UInt32.max, "uint32")
        expectRoundTrip(UInt64.max, "uint64")
        expectRoundTrip([UInt8(1)], "bytes")
        expectRoundTrip(Float.infinity, "float")
        expectRoundTrip(0.1, "double")
        expectRoundTrip("text", "key.with.dots")
        expectRoundTrip(URL(string: "https://example.org/")!, "@url")
        expectRoundTrip(Date(timeIntervalSinceReferenceDate: 0.5), "date")
        expectRoundTrip(Data([1]), "data")
        expectRoundTrip([URL(string: "a:b")!], "urls")
        expectRoundTrip(Set([1, 2, 3]), "set")
        expectRoundTrip(["a": [UInt(1)]], "nested")
        expectRoundTrip(Level.high, "raw")
        expectRoundTrip(Both.two, "both")
        expectRoundTrip([Level.high, .low], "raws")
        expectRoundTrip(User(id: UUID(), name: "ada"), "codable")
    }

    @Test func `equal sets are stored identically`() {
        let words = (0..<100).map { "word \($0)" }
        #expect(Set(words).storedValue == Set(words.reversed()).storedValue)
    }

    @Test func `a RawRepresentable and Codable type is stored as its raw value`() {
        FoilDefaultStorage(wrappedValue: Both.one, key: "both", storage: storage).wrappedValue = .two
        #expect(storage.snapshot["both"] == "two")
    }

    @Test func `a stored value of another type reads as the default`() throws {
        try storage.setValue("text", forKey: "count")
        #expect(FoilDefaultStorage(wrappedValue: 3, key: "count", storage: storage).wrappedValue == 3)
        #expect(FoilDefaultStorageOptional<Int>(key: "count", storage: storage).wrappedValue == nil)
        #expect(FoilDefaultStorageOptional<Level>(key: "count", storage: storage).wrappedValue == nil)
    }

    @Test func `a value that cannot be encoded leaves the stored one`() {
        struct Ratio: Codable, UserDefaultsSerializable {
            var value: Double
        }
        let ratio = FoilDefaultStorage(wrappedValue: Ratio(value: 1), key: "ratio", storage: storage)
        ratio.wrappedValue = Ratio(value: 2)
        ratio.wrappedValue = Ratio(value: .nan)
        #expect(ratio.wrappedValue.value == 2)
    }

    @Test func `assigning nil to an optional property removes its key`() {
        let name = FoilDefaultStorageOptional<String>(key: "name", storage: storage)
        name.wrappedValue = "ada"
        #expect(name.wrappedValue == "ada")
        name.wrappedValue = nil
        #expect(storage.snapshot["name"] == nil)
    }

    @Test func `the projected value publishes the current value, then each change`() {
        struct Settings {
            @FoilDefaultStorage var count: Int
            init(_ storage: DictionaryPrefsStorage) {
                _count = FoilDefaultStorage(wrappedValue: 1, key: "some.count", storage: storage)
            }
        }
        let settings = Settings(storage)
        var received: [Int] = []
        let cancellable = settings.$count.sink { received.append($0) }
        settings.count = 2
        #expect(received == [1, 2])
        cancellable.cancel()
        settings.count = 3
        #expect(received == [1, 2])
    }

    @Test func `the storage of wrappers that name none can be replaced`() {
        struct Settings {
            @FoilDefaultStorage(key: "foil") var foil = 3
        }
        let before = FoilDefaults.storage
        defer { FoilDefaults.storage = before }
        let storage = DictionaryPrefsStorage(values: ["foil": 8])
        FoilDefaults.storage = storage
        let settings = Settings()
        #expect(settings.foil == 8)
        settings.foil = 9
        #expect(storage.snapshot["foil"] == 9)
    }

    @Test func `a property registers its default with Foundation's defaults`() throws {
        let suite = DefaultsSuite()
        let name = "foil-\(UUID().uuidString)"
        let property = FoilDefaultStorage(wrappedValue: 3, key: name, userDefaults: suite.defaults)
        #expect(suite.defaults.integer(forKey: name) == 3)
        property.wrappedValue = 4
        #expect(suite.defaults.integer(forKey: name) == 4)
    }

    @Test func `values that several threads write are published one at a time, the last one last`() {
        let suite = DefaultsSuite()
        defer { withExtendedLifetime(suite) {} }
        let property = FoilDefaultStorage(
            wrappedValue: 0, key: "n-\(suite.name)", userDefaults: suite.defaults)
        let (begun, gate) = (Latch(), Latch())
        let received = Mutex<[Int]>([])
        let cancellable = property.projectedValue.sink { value in
            if value == 1 {
                begun.open()
                gate.wait()
            }
            received.withLock { $0.append(value) }
        }
        Thread.detachNewThread { property.wrappedValue = 1 }
        begun.wait()
        property.wrappedValue = 2
        gate.open()
        #expect(eventually { received.withLock { $0 } == [0, 1, 2] })
        cancellable.cancel()
    }

    @Test func `a Float is stored and registered as a Float`() {
        let suite = DefaultsSuite()
        let defaults = suite.defaults
        let name = "foil-\(UUID().uuidString)"
        let property = FoilDefaultStorage(wrappedValue: Float(4.2), key: name, userDefaults: defaults)
        #expect(defaults.object(forKey: name) as? Float == 4.2)
        let list = FoilDefaultStorageOptional<[Float]>(key: "list", userDefaults: defaults)
        // Foundation reads a `Float` as a `Double` of the same value while another test saves any suite.
        func isFloat(_ value: Any?) -> Bool {
            value as? Float == 0.1 || value as? Double == Double(Float(0.1))
        }
        property.wrappedValue = 0.1
        list.wrappedValue = [0.1]
        #expect(isFloat(defaults.object(forKey: name)))
        #expect((defaults.object(forKey: "list") as? [Any])?.map(isFloat) == [true])
        #expect(property.wrappedValue == 0.1 && list.wrappedValue == [0.1])
        list.wrappedValue = nil
        #expect(defaults.object(forKey: "list") == nil)
    }

    private func expectRoundTrip<Value: UserDefaultsSerializable & Equatable & Sendable>(
        _ value: Value, _ key: String
    ) {
        FoilDefaultStorageOptional(key: key, storage: storage).wrappedValue = value
        #expect(FoilDefaultStorageOptional<Value>(key: key, storage: storage).wrappedValue == value)
    }
}
