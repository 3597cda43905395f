#if Macros
    /// A property wrapper that holds a schema's storage. You spell it `@Storage`.
    ///
    /// You may replace the storage at any time and from any thread. The schema then shows the new storage's
    /// values, and notifies the observers of values that differ.
    ///
    /// A stack learns the schema's keys as soon as it is stored here, so it reports unknown keys before any
    /// property is read. `Keys` is the list of these keys.
    @_documentation(visibility: internal)
    @propertyWrapper
    public struct PrefsStorageWrapper<Storage: PrefsStorage, Keys: PrefsExpansion.PropertyKeys>: Sendable {
        private let current: Replaceable<Storage>

        /// Creates a wrapper with an initial storage: `@Storage var storage = .dictionary`.
        public init(wrappedValue: Storage) {
            current = Replaceable(wrappedValue)
            wrappedValue.declareSoon(Keys.self)
        }

        /// Creates a wrapper with an initial storage.
        public init(_ storage: Storage) {
            self.init(wrappedValue: storage)
        }

        /// The storage.
        ///
        /// If you replace it, the schema is bound to the new storage.
        public var wrappedValue: Storage {
            get { current.value }
            nonmutating set {
                newValue.declareSoon(Keys.self)
                current.replace(with: newValue)
            }
        }

        /// Registers a callback that is called after each replacement.
        ///
        /// The expansion of `@PrefsSchema` uses it.
        public func _whenReplaced(_ body: PrefsExpansion.Callback) {
            current.whenReplaced(body)
        }
    }
#endif
