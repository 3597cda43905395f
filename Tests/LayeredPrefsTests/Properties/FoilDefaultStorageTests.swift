import Foundation
import Testing

@testable import LayeredPrefs

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

    @Test func `every supported type round-trips`() {
        expectRoundTrip(true, "a bool")
        expectRoundTrip(Int.max, "int")
        expectRoundTrip(UInt.max, "uint")
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

    @Test func `assigning nil to an optional property removes its key`() {
        let name = FoilDefaultStorageOptional<String>(key: "name", storage: storage)
        name.wrappedValue = "ada"
        #expect(name.wrappedValue == "ada")
        name.wrappedValue = nil
        #expect(storage.snapshot["name"] == nil)
    }

    @Test func `the projected value is the sequence of values`() async {
        struct Settings {
            @FoilDefaultStorage var count: Int
            init(_ storage: DictionaryPrefsStorage) {
                _count = FoilDefaultStorage(wrappedValue: 1, key: "some.count", storage: storage)
            }
        }
        let settings = Settings(storage)
        var values = settings.$count.makeAsyncIterator()
        settings.count = 2
        #expect(await values.next() == 1)
        #expect(await values.next() == 2)
    }

    private func expectRoundTrip<Value: UserDefaultsSerializable & Equatable & Sendable>(
        _ value: Value, _ key: String
    ) {
        FoilDefaultStorageOptional(key: key, storage: storage).wrappedValue = value
        #expect(FoilDefaultStorageOptional<Value>(key: key, storage: storage).wrappedValue == value)
    }
}
