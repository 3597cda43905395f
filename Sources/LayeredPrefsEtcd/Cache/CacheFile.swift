#if Etcd
    import LayeredPrefs
    import PrefsFiles

    /// The file with the last received contents. It has the form of a server's answer to a list.
    struct CacheFile {
        private let file: PrefsCacheFile

        struct Contents: Equatable {
            var items: [EtcdItem]
            var header: EtcdHeader
            /// The time of the write, in seconds since 1970.
            var time: Int64
        }

        init(path: String) {
            // Large enough for the largest contents that a client accepts, in base64.
            file = PrefsCacheFile(
                path: path, signature: "LayeredPrefs etcd cache 1", limit: EtcdConnection.contentsLimit * 2,
                name: "the cached contents")
        }

        var path: String { file.path }

        /// Reads the file. Returns `nil` if there is none.
        ///
        /// - Throws: ``PrefsError``: `untrusted` if another user can write to the file, or `broken` if the file is
        ///   incomplete.
        func read() throws(PrefsError) -> Contents? {
            guard let (payload, time) = try file.read() else { return nil }
            guard let range = try? EtcdRange(trustedJSON: payload) else { throw file.damaged }
            return Contents(items: range.items, header: range.header, time: time)
        }

        /// Replaces the file atomically and durably: a reader finds either the old or the new contents.
        func write(_ contents: Contents) throws(PrefsError) {
            try file.write((Array(EtcdRange.text(contents.items, contents.header).utf8), contents.time))
        }
    }

    extension EtcdRange {
        /// Returns the text of a range as a server spells it.
        fileprivate static func text(_ items: [EtcdItem], _ header: EtcdHeader) -> String {
            let kvs = items.map { item in
                #"{"key":"\#(item.key.base64)","mod_revision":"\#(item.revision)","#
                    + #""value":"\#(item.value.base64)"}"#
            }
            return #"{"header":{"cluster_id":"\#(header.clusterID)","revision":"\#(header.revision)","#
                + #""raft_term":"\#(header.raftTerm)"},"kvs":[\#(kvs.joined(separator: ",\n"))]}"#
        }
    }
#endif
