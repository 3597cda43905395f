#if OpenCombine
    import LayeredPrefs
    import LayeredPrefsOpenCombine
    import OpenCombine

    extension StoredProperty {
        /// A publisher of the current value and of every later one.
        var publisher: AnyPublisher<Value, Never> {
            Values(property: self).map(\.value).eraseToAnyPublisher()
        }

        private struct Values: Publisher {
            typealias Output = Carried<Value>
            typealias Failure = Never

            let property: StoredProperty

            func receive<Downstream: Subscriber>(subscriber: Downstream)
            where Downstream.Input == Carried<Value>, Downstream.Failure == Never {
                // Every value waits until it is demanded, as in Foil, which publishes all of them.
                let subscription = ValueSubscription(subscriber, policy: .unbounded, waitsForFirst: true)
                subscription.hold(property.follow { [weak subscription] in subscription?.offer($0) })
                subscriber.receive(subscription: subscription)
            }
        }
    }
#endif
