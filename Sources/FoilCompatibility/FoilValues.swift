#if !OpenCombine
    public import LayeredPrefs

    /// The values of a property as they change: the current value and each later one.
    ///
    /// With the trait `OpenCombine`, the projected value of a property is an `AnyPublisher` instead, as in Foil.
    public struct FoilValues<Value>: Sendable {
        let property: StoredProperty<Value>

        /// Calls `receiveValue` with the current value and with each later value, until you cancel or release the
        /// observation.
        ///
        /// The first call is made before this method returns. Later calls are made one at a time, on a thread that
        /// changed the value.
        public func sink(receiveValue: @escaping (Value) -> Void) -> AnyCancellable {
            // Sendable: calls are made one at a time. As in Foil, the program is responsible for the captured
            // values.
            let receiver = Carried(value: receiveValue)
            return property.follow { receiver.value($0.value) }
        }
    }

    extension FoilValues where Value: Sendable {
        /// An asynchronous sequence of the current value and each later one. A slow reader gets only the newest value.
        public var values: AsyncStream<Value> {
            let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let observation = property.follow { continuation.yield($0.value) }
            continuation.onTermination = { _ in observation.cancel() }
            return stream
        }
    }
#endif
