#if Etcd
    public import LayeredPrefs

    extension EtcdPrefsStorage {
        /// A value that only a part of the hosts uses, so that you can try a change before all hosts get it.
        ///
        /// A canary is a key of its own. For `http.port` it is `/prefs/com.example.myd/.canary/http/port`, for
        /// example. It holds the value and the part of the hosts: `{"percent":10,"value":9090}`.
        ///
        /// A canary reaches the hosts whose number is below the percentage. The number of a host follows from its
        /// name alone, so it is the same for every key, in every program and after every restart. A host that a
        /// canary reaches keeps the value when you raise the percentage.
        public struct Canary: Sendable, Hashable {
            /// The name of the preference.
            public var key: String
            /// The value that the reached hosts use.
            public var value: PrefsValue
            /// The part of the hosts, from 0 for none to 100 for all.
            public var percent: Int
            /// The revision of the canary.
            public var revision: Int64

            /// Returns whether a host uses the value.
            ///
            /// - Parameter host: The name of the host, as the program states it.
            public func reaches(host: String) -> Bool { Self.number(ofHost: host) < percent }

            /// Returns the number of a host, from 0 to 99: the 64-bit FNV-1a hash of the name's bytes, modulo 100.
            public static func number(ofHost host: String) -> Int {
                var hash: UInt64 = 0xcbf2_9ce4_8422_2325
                for byte in host.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                return Int(hash % 100)
            }
        }
    }

    extension EtcdPrefsStorage.Canary {
        /// Reads a canary.
        ///
        /// - Throws: ``PrefsError`` if the item is not a valid canary. Its reason states the mistake.
        init(_ item: EtcdItem, ofKey key: String, _ mapping: KeyMapping) throws(PrefsError) {
            let candidate = mapping.candidate(for: item)
            if let rejection = candidate.rejection { throw rejection }
            guard case .dictionary(let object) = candidate.value, let value = object["value"],
                case .integer(let percent)? = object["percent"], (0...100).contains(percent)
            else {
                throw PrefsError(
                    .invalid,
                    reason: #"expected a canary such as {"percent":10,"value":9090}, of 0 to 100 percent"#)
            }
            self.init(key: key, value: value, percent: Int(percent), revision: item.revision)
        }

        /// Returns the stored form of a canary.
        static func stored(_ value: PrefsValue, percent: Int) -> PrefsValue {
            .dictionary(["percent": .integer(Int128(percent)), "value": value])
        }

        /// Returns the candidate for a host that the canary reaches.
        func candidate(at place: PrefsOrigin) -> PrefsCandidate {
            var origin = place
            origin.file = "canary \(percent)% \(place.file ?? "")"
            return PrefsCandidate(value, origin: origin)
        }
    }
#endif
