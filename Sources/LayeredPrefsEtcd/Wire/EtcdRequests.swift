#if Etcd
    import FoundationEssentials

    /// The range of all keys with a prefix.
    struct EtcdKeyRange: Equatable {
        let first: [UInt8]
        /// The first key after the range; a single zero byte if there is none.
        let end: [UInt8]

        init(prefix: [UInt8]) {
            first = prefix
            end = Self.successor(of: prefix)
        }

        /// Returns the prefix without trailing 255 bytes, and with its last byte increased by one.
        private static func successor(of prefix: [UInt8]) -> [UInt8] {
            var end = prefix
            while let last = end.popLast() {
                if last < 0xff { return end + [last + 1] }
            }
            return [0]
        }

        func contains(_ key: [UInt8]) -> Bool { key.starts(with: first) }
    }

    /// The bodies of requests.
    enum EtcdRequests {
        /// - Parameters:
        ///   - key: The first key of the page.
        ///   - revision: The revision to read. Later pages pass the first page's revision. 0 for the newest.
        static func range(from key: [UInt8], to end: [UInt8], limit: Int, revision: Int64) -> String {
            let pin = revision > 0 ? #","revision":"\#(revision)""# : ""
            return #"{"key":\#(quoted(key)),"range_end":\#(quoted(end)),"limit":"\#(limit)"\#(pin)}"#
        }

        /// Counts the keys of a range.
        static func check(_ range: EtcdKeyRange) -> String {
            #"{"key":\#(quoted(range.first)),"range_end":\#(quoted(range.end)),"count_only":true}"#
        }

        /// Creates one watch for each range. The watch ids are the indices of the ranges.
        static func watch(_ ranges: [EtcdKeyRange], from revision: Int64) -> String {
            ranges.map { range in
                #"{"create_request":{"key":\#(quoted(range.first)),"range_end":\#(quoted(range.end)),"#
                    + #""start_revision":"\#(revision)","progress_notify":true,"fragment":true}}"#
            }.joined(separator: "\n")
        }

        static func authenticate(user: String, password: String) -> String {
            String(decoding: ["name": user, "password": password].json, as: UTF8.self)
        }

        /// Grants a lease. If it is not renewed within this time, its keys vanish.
        static func grantLease(seconds: Int64) -> String { #"{"TTL":"\#(seconds)"}"# }

        /// Renews or revokes a lease.
        static func lease(_ id: Int64) -> String { #"{"ID":"\#(id)"}"# }

        static func put(_ key: [UInt8], _ value: [UInt8], lease: Int64) -> String {
            #"{"key":\#(quoted(key)),"value":\#(quoted(value)),"lease":"\#(lease)"}"#
        }

        /// A change of one key. It takes effect only if the key's revision is `base`; 0 if the key does not exist.
        struct Change: Equatable {
            var key: [UInt8]
            /// The new value; `nil` removes the key.
            var value: [UInt8]?
            var base: Int64
        }

        static func transaction(_ changes: [Change]) -> String {
            let comparisons = changes.map { change in
                #"{"key":\#(quoted(change.key)),"target":"MOD","result":"EQUAL","mod_revision":"\#(change.base)"}"#
            }
            let operations = changes.map { change in
                guard let value = change.value else {
                    return #"{"request_delete_range":{"key":\#(quoted(change.key))}}"#
                }
                return #"{"request_put":{"key":\#(quoted(change.key)),"value":\#(quoted(value))}}"#
            }
            return #"{"compare":[\#(comparisons.joined(separator: ","))],"#
                + #""success":[\#(operations.joined(separator: ","))]}"#
        }

        private static func quoted(_ bytes: [UInt8]) -> String { "\"\(bytes.base64)\"" }
    }

    extension [UInt8] {
        /// The bytes in standard base64 with padding. The gateway writes keys and values in this form.
        var base64: String { Data(self).base64EncodedString() }
    }
#endif
