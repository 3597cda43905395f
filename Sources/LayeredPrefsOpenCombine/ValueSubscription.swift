import PrefsSystem
#if OpenCombine
    import FileWatching
    package import LayeredPrefs
    package import OpenCombine

    /// Delivers a key's values to one subscriber, but no more values than it demands.
    package final class ValueSubscription<Value: Sendable>: Subscription, Sendable {
        package typealias Policy = AsyncStream<Value>.Continuation.BufferingPolicy

        /// Delivers a value to the subscriber and returns its additional demand; `nil` is unlimited.
        // Sendable: a subscriber need not be `Sendable`. But only one thread at a time calls it, the thread that
        // set `isDelivering`. Other threads only release it.
        private struct Receiver: @unchecked Sendable {
            let receive: (Value) -> Int?
        }

        private struct State: Sendable {
            var receiver: Receiver?
            /// The number of values demanded; `nil` is unlimited.
            var demand: Int? = 0
            var isDelivering = false
            /// True if the next value is the initial value, which waits outside the buffer.
            var waitsForFirst: Bool
            var first: Value?
            var waiting = Fifo<Value>()
            var observation: PrefsObservation?

            mutating func add(_ more: Int?) {
                guard let demand, let more else { return self.demand = nil }
                // A demand too large to count is unlimited.
                let (sum, overflows) = demand.addingReportingOverflow(more)
                self.demand = overflows ? nil : sum
            }

            mutating func take() -> Value? {
                guard demand != 0, first != nil || !waiting.isEmpty else { return nil }
                if let demand { self.demand = demand - 1 }
                defer { first = nil }
                return first ?? waiting.popFirst()
            }
        }

        private let state: Lock<State>
        private let policy: Policy

        package init(_ subscriber: some Subscriber<Value, Never>, policy: Policy, waitsForFirst: Bool) {
            self.policy = policy
            let receiver = Receiver { subscriber.receive($0).max }
            state = Lock(State(receiver: receiver, waitsForFirst: waitsForFirst))
        }

        /// Keeps the registration. It ends together with this subscription.
        package func hold(_ observation: PrefsObservation) {
            state.withLock { $0.observation = observation }
        }

        /// Accepts a value and delivers it when the subscriber demands it.
        package func offer(_ value: Value) {
            state.withLock { state in
                if state.waitsForFirst {
                    state.first = value
                    state.waitsForFirst = false
                } else {
                    policy.add(value, to: &state.waiting)
                }
            }
            deliver()
        }

        package func request(_ demand: Subscribers.Demand) {
            let more = demand.max
            state.withLock { $0.add(more) }
            deliver()
        }

        package func cancel() {
            let (receiver, observation) = state.withLock { state in
                defer {
                    state.receiver = nil
                    state.observation = nil
                }
                return (state.receiver, state.observation)
            }
            // Both are released outside the mutex.
            observation?.cancel()
            _ = receiver
        }

        /// Delivers the demanded values. If another call is already delivering, that call delivers them.
        private func deliver() {
            let isFree = state.withLock { state in
                defer { state.isDelivering = true }
                return !state.isDelivering
            }
            guard isFree else { return }
            while let (value, receiver) = next() {
                let more = receiver.receive(value)
                state.withLock { $0.add(more) }
            }
        }

        private func next() -> (Value, Receiver)? {
            state.withLock { state in
                guard let receiver = state.receiver, let value = state.take() else {
                    state.isDelivering = false
                    return nil
                }
                return (value, receiver)
            }
        }
    }

    extension AsyncStream.Continuation.BufferingPolicy {
        /// Adds a value to the waiting values. Discards values as `AsyncStream` would.
        fileprivate func add(_ value: Element, to waiting: inout Fifo<Element>) {
            switch self {
            case .bufferingOldest(let limit): if waiting.count < limit { waiting.append(value) }
            case .bufferingNewest(let limit):
                waiting.append(value)
                if waiting.count > limit { _ = waiting.popFirst() }
            default: waiting.append(value)
            }
        }
    }
#endif
