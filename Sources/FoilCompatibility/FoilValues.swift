#if !OpenCombine
    public import LayeredPrefs

    /// The values of a property as they change: the current one, then each later one.
    ///
    /// With the trait `OpenCombine` the projected value of a property is an `AnyPublisher` instead, as in Foil.
    public struct FoilValues<Value>: Sendable {
        let property: StoredProperty<Value>

        /// Calls `receiveValue` with the current value before it returns, and with each later value on a
        /// thread that changed it, one at a time, until the observation is cancelled or released.
        public func sink(receiveValue: @escaping (Value) -> Void) -> AnyCancellable {
            // Sendable: calls are made one at a time; as in Foil, the program answers for what it captures.
            let receiver = Carried(value: receiveValue)
            return property.follow { receiver.value($0.value) }
        }
    }

    extension FoilValues where Value: Sendable {
        /// The current value and each later one, as an asynchronous sequence that keeps the newest value for a
        /// slow reader.
        public var values: AsyncStream<Value> {
            let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let observation = property.follow { continuation.yield($0.value) }
            continuation.onTermination = { _ in observation.cancel() }
            return stream
        }
    }
#endif
