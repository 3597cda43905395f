import FoilCompatibility
import Testing

private func stored<Value: UserDefaultsSerializable>(_ value: Value) -> Value? {
    Value(storedValue: value.storedValue)
}

extension UserDefaultsSerializable {
    fileprivate var restored: Self? { Self(storedValue: storedValue) }
}

private enum AppKey: String { case count, name }

extension FoilDefaultStorage {
    fileprivate init(wrappedValue: T, _ key: AppKey, in storage: any PrefsStorage) {
        self.init(wrappedValue: wrappedValue, key: key.rawValue, storage: storage)
    }
}

private struct Pair<First: UserDefaultsSerializable, Second: UserDefaultsSerializable> {
    @FoilDefaultStorage var first: First
    @FoilDefaultStorageOptional var second: Second?

    init(_ first: First, in storage: any PrefsStorage) {
        _first = FoilDefaultStorage(wrappedValue: first, .count, in: storage)
        _second = FoilDefaultStorageOptional(key: AppKey.name.rawValue, storage: storage)
    }
}

private struct Tagged<Content: UserDefaultsSerializable>: UserDefaultsSerializable {
    var content: Content

    var storedValue: Content.StoredValue { content.storedValue }

    init(_ content: Content) { self.content = content }
    init?(storedValue: Content.StoredValue) {
        guard let content = Content(storedValue: storedValue) else { return nil }
        self.content = content
    }
}

private enum Level: String, UserDefaultsSerializable { case low, high }

@Suite struct FoilGenericUsesTests {
    @Test func `a function is generic over types`() {
        #expect(stored(3) == 3)
        #expect(stored(Level.high) == .high)
        #expect([Level.low].restored == [.low])
        #expect(stored(Tagged(["a": Level.high]))?.content == ["a": .high])
        let values: [any UserDefaultsSerializable] = [1, "x", Level.low]
        #expect(values.map { $0.restored.map { "\($0)" } } == ["1", "x", "low"])
    }

    @Test func `a type is generic over the types of its properties`() {
        let storage = DictionaryPrefsStorage()
        let pair = Pair<Tagged<Float>, [Level]>(Tagged(0.5), in: storage)
        pair.first = Tagged(1.5)
        pair.second = [.high]
        #expect(storage.snapshot.dictionary == ["count": 1.5, "name": ["high"]])
        #expect(pair.first.content == 1.5 && pair.second == [.high])
        var received: [Float] = []
        let cancellable = pair.$first.sink { received.append($0.content) }
        pair.first = Tagged(2.5)
        #expect(received == [1.5, 2.5])
        cancellable.cancel()
    }
}
