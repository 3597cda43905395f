#if Macros
    extension PrefsExpansion {
        /// Returns the key of a preference of a type with a default coding.
        public static func key<Value: PrefsStorable & Sendable>(
            _ name: String, _: Value.Type = Value.self, default value: Value
        ) -> PersistentKey<Value> {
            PersistentKey(name, defaultValue: value)
        }

        /// Returns the key of an optional preference of a type with a default coding.
        public static func key<Value: PrefsStorable & Sendable>(
            _ name: String, optional: Value.Type
        ) -> PersistentKey<Value?> {
            PersistentKey(name)
        }

        // Disfavored, as the corresponding initializers of `PersistentKey` are.

        /// Returns the key of a preference stored as its raw value.
        @_disfavoredOverload
        public static func key<Value: RawRepresentable & Sendable>(
            _ name: String, _: Value.Type = Value.self, default value: Value
        ) -> PersistentKey<Value> where Value.RawValue: PrefsStorageValue {
            PersistentKey(name, defaultValue: value)
        }

        /// Returns the key of an optional preference stored as its raw value.
        @_disfavoredOverload
        public static func key<Value: RawRepresentable & Sendable>(
            _ name: String, optional: Value.Type
        ) -> PersistentKey<Value?> where Value.RawValue: PrefsStorageValue {
            PersistentKey(name)
        }

        /// Returns the key of a preference whose elements are stored as their raw values.
        @_disfavoredOverload
        public static func key<Value: PrefsElementwise & Sendable>(
            _ name: String, _: Value.Type = Value.self, default value: Value
        ) -> PersistentKey<Value>
        where
            Value.StoredElement: RawRepresentable & Sendable, Value.StoredElement.RawValue: PrefsStorageValue
        {
            PersistentKey(name, defaultValue: value)
        }

        /// Returns the key of an optional preference whose elements are stored as their raw values.
        @_disfavoredOverload
        public static func key<Value: PrefsElementwise & Sendable>(
            _ name: String, optional: Value.Type
        ) -> PersistentKey<Value?>
        where
            Value.StoredElement: RawRepresentable & Sendable, Value.StoredElement.RawValue: PrefsStorageValue
        {
            PersistentKey(name)
        }

        // With one more parameter, so that the functions for raw values are preferred.

        /// Returns the key of a preference stored natively.
        @_disfavoredOverload
        public static func key<Value: Codable & Sendable>(
            _ name: String, _: Value.Type = Value.self, default value: Value, _: Void = ()
        ) -> PersistentKey<Value> {
            PersistentKey(name, defaultValue: value)
        }

        /// Returns the key of an optional preference stored natively.
        @_disfavoredOverload
        public static func key<Value: Codable & Sendable>(
            _ name: String, optional: Value.Type, _: Void = ()
        ) -> PersistentKey<Value?> {
            PersistentKey(name)
        }

        /// Returns the key of a preference with a coding.
        public static func key<Value: Sendable, Coding: PrefsCoding>(
            _ name: String, _: Value.Type = Value.self, default value: Value, coding: Coding
        ) -> PersistentKey<Value> where Coding.Value == Value {
            PersistentKey(name, defaultValue: value, coding: coding)
        }

        /// Returns the key of an optional preference with a coding.
        public static func key<Value: Sendable, Coding: PrefsCoding>(
            _ name: String, optional: Value.Type, coding: Coding
        ) -> PersistentKey<Value?> where Coding.Value == Value {
            PersistentKey(name, coding: coding)
        }

        // PrefsKit's codings are members of `PrefsCodable`. A parameter of another protocol does not find them.

        /// Returns the key of a preference with a coding.
        public static func key<Value: Sendable, Coding: PrefsCodable>(
            _ name: String, _: Value.Type = Value.self, default value: Value, coding: Coding
        ) -> PersistentKey<Value> where Coding.Value == Value {
            PersistentKey(name, defaultValue: value, coding: coding)
        }

        /// Returns the key of an optional preference with a coding.
        public static func key<Value: Sendable, Coding: PrefsCodable>(
            _ name: String, optional: Value.Type, coding: Coding
        ) -> PersistentKey<Value?> where Coding.Value == Value {
            PersistentKey(name, coding: coding)
        }
    }

    extension PrefsExpansion {
        /// The key of a preference whose type cannot be stored; there are no values of this type.
        public enum UnsuitableKey<Value> {}

        /// Unavailable: chosen if no other overload matches, so that the error message names the fix.
        @_disfavoredOverload
        @available(
            *, unavailable,
            message: """
                this type has no stored form: make it 'Codable' and 'Sendable', or use '@Pref(coding:)'
                """
        )
        public static func key<Value>(
            _ name: String, _: Value.Type = Value.self, default value: Value, _: Void = ()
        ) -> UnsuitableKey<Value> {
            // Never called: code that selects this overload does not compile.
            preconditionFailure("unavailable")
        }

        /// Unavailable: chosen if no other overload matches, so that the error message names the fix.
        @_disfavoredOverload
        @available(
            *, unavailable,
            message: """
                this type has no stored form: make it 'Codable' and 'Sendable', or use '@Pref(coding:)'
                """
        )
        public static func key<Value>(
            _ name: String, optional: Value.Type, _: Void = ()
        ) -> UnsuitableKey<Value?> {
            // Never called: code that selects this overload does not compile.
            preconditionFailure("unavailable")
        }
    }
#endif
