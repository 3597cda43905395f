#if Macros
    extension PrefsExpansion {
        /// The optional parts of a preference's declaration.
        public struct PropertyOptions<Value: Sendable> {
            private let coding: any PrefsCoding<Value>
            /// The range and the validations.
            private var checks = PrefsKeyTraits<Value>()

            /// The Swift type as spelled in the source, or an empty string if it is inferred.
            public var swiftType = ""
            /// The documentation comment.
            public var documentation: String?
            /// A Boolean value that indicates whether the value must not appear in anything shown to people.
            public var isSecret = false
            /// The environment variable, if the declaration names one.
            public var environmentName: String?
            /// The former names of the key.
            public var formerNames: [String] = []
            /// The way that dictionaries of several layers are combined.
            public var merge: PrefsMerge
            /// A Boolean value that indicates whether a change takes effect only after a restart.
            public var needsRestart = false
            /// A Boolean value that indicates whether only a debug build of this library reads and writes the
            /// key.
            public var isDebugOnly = false
            /// The value of a debug key in a release build, or `nil` for the default.
            public var releaseValue: Value?

            init(_ coding: any PrefsCoding<Value>, merge: PrefsMerge) {
                (self.coding, self.merge) = (coding, merge)
            }

            /// The optional parts of the key's declaration.
            var traits: PrefsKeyTraits<Value> {
                var traits = checks
                (traits.documentation, traits.isSecret, traits.environmentName) = (
                    documentation, isSecret, environmentName
                )
                (traits.formerNames, traits.merge, traits.needsRestart) = (formerNames, merge, needsRestart)
                (traits.isDebugOnly, traits.releaseValue) = (isDebugOnly, releaseValue)
                return traits
            }
        }
    }

    extension PrefsExpansion.PropertyOptions {
        /// Rejects values outside a range.
        public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
        where Bounds.Bound == Value {
            checks.limit(to: bounds, coding: coding) { bounds.contains($0) }
        }

        /// Rejects values outside a range; `nil` is always accepted.
        public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
        where Value == Bounds.Bound? {
            checks.limit(to: bounds, coding: coding) { $0.map(bounds.contains) ?? true }
        }

        /// Rejects values that do not satisfy a condition.
        ///
        /// - Parameters:
        ///   - phrase: The requirement, as a phrase.
        ///   - condition: Returns true if a value is accepted.
        public mutating func check(
            _ phrase: String?, _ condition: @escaping @Sendable (Value) -> Bool
        ) {
            checks.check(requiring: phrase) {
                condition($0) ? nil : "expected \(phrase ?? "a value that the program accepts")"
            }
        }

        /// Rejects values if a closure returns a message for them.
        ///
        /// - Parameters:
        ///   - phrase: The requirement, as a phrase.
        ///   - complaint: Returns a message about a wrong value, or `nil` if the value is accepted.
        public mutating func check(
            _ phrase: String?, _ complaint: @escaping @Sendable (Value) -> String?
        ) {
            checks.check(requiring: phrase, complaint)
        }

        /// Rejects values that do not satisfy a condition; `nil` is always accepted.
        public mutating func checkWrapped<Wrapped: Sendable>(
            _ phrase: String?, _ condition: @escaping @Sendable (Wrapped) -> Bool
        ) where Value == Wrapped? {
            check(phrase) { $0.map(condition) ?? true }
        }

        /// Rejects values if a closure returns a message for them; `nil` is always accepted.
        public mutating func checkWrapped<Wrapped: Sendable>(
            _ phrase: String?, _ complaint: @escaping @Sendable (Wrapped) -> String?
        ) where Value == Wrapped? {
            check(phrase) { $0.flatMap(complaint) }
        }
    }
#endif
