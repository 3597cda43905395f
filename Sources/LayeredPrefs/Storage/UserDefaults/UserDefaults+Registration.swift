#if UserDefaults
    public import Foundation

    extension UserDefaults {
        /// Puts a key's default into the registration domain, where code that reads these defaults by
        /// other means finds it. A stored value goes before it; an absent default registers nothing.
        public func register<Key: PersistentKeyProtocol>(_ key: Key) {
            var defaults: [String: Any] = [:]
            key.registerDefault(in: &defaults)
            register(defaults: defaults)
        }

        /// Puts several keys' defaults into the registration domain.
        public func register(_ keys: any PersistentKeyProtocol...) {
            register(keys)
        }

        /// Puts several keys' defaults into the registration domain.
        public func register(_ keys: [any PersistentKeyProtocol]) {
            var defaults: [String: Any] = [:]
            for key in keys { key.registerDefault(in: &defaults) }
            register(defaults: defaults)
        }
    }

    extension PersistentKeyProtocol {
        /// Adds this key's default, as it would be stored, to a dictionary for `register(defaults:)`.
        public func registerDefault(in defaults: inout [String: Any]) {
            PrefsFailure.reporting(key: id) {
                if let value = try representation.encode(defaultValue) { defaults[id] = value.bridged }
            }
        }
    }
#endif
