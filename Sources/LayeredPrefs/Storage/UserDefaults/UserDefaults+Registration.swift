#if UserDefaults
    public import Foundation

    extension UserDefaults {
        /// Adds a key's default to the registration domain, where code that reads these defaults by other
        /// means finds it. A stored value takes precedence; an absent default registers nothing.
        public func register<Key: PersistentKeyProtocol>(_ key: Key) {
            var defaults: [String: Any] = [:]
            key.registerDefault(in: &defaults)
            register(defaults: defaults)
        }

        /// Adds several keys' defaults to the registration domain.
        public func register(_ keys: any PersistentKeyProtocol...) {
            register(keys)
        }

        /// Adds several keys' defaults to the registration domain.
        public func register(_ keys: [any PersistentKeyProtocol]) {
            var defaults: [String: Any] = [:]
            for key in keys { key.registerDefault(in: &defaults) }
            register(defaults: defaults)
        }
    }

    extension PersistentKeyProtocol {
        /// Adds this key's default, in its stored form, to a dictionary for `register(defaults:)`.
        public func registerDefault(in defaults: inout [String: Any]) {
            PrefsFailure.reporting(key: id) {
                if let value = try coding.encode(defaultValue) { defaults[id] = value.bridged }
            }
        }
    }
#endif
