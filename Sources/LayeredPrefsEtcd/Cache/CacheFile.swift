#if Etcd
    import LayeredPrefs
    import PrefsFiles

    /// The file that holds the last contents received, as a server would list them.
    struct CacheFile {
        private let file: PrefsCacheFile

        struct Contents: Equatable {
            var items: [EtcdItem]
            var header: EtcdHeader
            /// The time at which the file was written, in seconds since 1970.
            var time: Int64
        }

        init(path: String) {
            // A file of the largest contents that a client accepts, in base64.
            file = PrefsCacheFile(
                path: path, signature: "LayeredPrefs etcd cache 1", limit: EtcdConnection.contentsLimit * 2,
                name: "the cached contents")
        }

        var path: String { file.path }

        /// Reads the file; returns `nil` if there is none.
        ///
        /// - Throws: ``PrefsError``: `untrusted` if another user can write to it, or `broken` if it is not complete.
        func read() throws(PrefsError) -> Contents? {
            guard let (payload, time) = try file.read() else { return nil }
            guard let range = try? EtcdRange(trustedJSON: payload) else { throw file.damaged }
            return Contents(items: range.items, header: range.header, time: time)
        }

        /// Replaces the file with these contents, durably, so that a reader finds the old or the new ones.
        func write(_ contents: Contents) throws(PrefsError) {
            try file.write((Array(EtcdRange.text(contents.items, contents.header).utf8), contents.time))
        }
    }

    extension EtcdRange {
        /// The text of a range, as a server spells it.
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
