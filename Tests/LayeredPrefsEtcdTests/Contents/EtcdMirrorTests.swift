#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct EtcdMirrorTests {
        private func item(_ key: String, _ value: String, _ revision: Int64) -> EtcdItem {
            EtcdItem(key: Array(key.utf8), value: Array(value.utf8), revision: revision)
        }

        private func header(_ revision: Int64) -> EtcdHeader { EtcdHeader(clusterID: 1, revision: revision) }

        @Test func `a list removes what it does not contain`() {
            var mirror = EtcdMirror(
                items: [item("a", "1", 2), item("b", "2", 3), item("c", "3", 4)], header: header(4))
            let changes = mirror.replace(
                with: [item("b", "2", 3), item("c", "x", 9), item("d", "4", 8)], header: header(9))
            #expect(Set(changes.keys) == [Array("a".utf8), Array("c".utf8), Array("d".utf8)])
            #expect(changes[Array("a".utf8)] == .some(nil))
            #expect(mirror.items.count == 3 && mirror.header.revision == 9)
        }

        @Test func `a list of a restored server with lower revisions counts`() {
            var mirror = EtcdMirror(items: [item("a", "new", 100)], header: header(100))
            let changes = mirror.replace(with: [item("a", "old", 50)], header: header(60))
            #expect(changes == [Array("a".utf8): item("a", "old", 50)])
            #expect(mirror.header.revision == 60)
        }

        @Test func `duplicate and old events change nothing`() {
            var mirror = EtcdMirror(items: [item("a", "1", 5)], header: header(5))
            let changes = mirror.apply(
                [
                    .put(item("a", "0", 4)), .put(item("a", "1", 5)),
                    .delete(key: Array("a".utf8), revision: 5),
                    .delete(key: Array("z".utf8), revision: 6),
                ], header: header(6))
            #expect(changes.isEmpty && mirror.items[Array("a".utf8)] == item("a", "1", 5))
        }

        @Test func `of several changes of a key the last one counts`() {
            var mirror = EtcdMirror()
            let changes = mirror.apply(
                [
                    .put(item("a", "1", 5)), .delete(key: Array("a".utf8), revision: 6),
                    .put(item("a", "2", 7)),
                    .put(item("b", "2", 7)), .delete(key: Array("b".utf8), revision: 8),
                ], header: header(8))
            #expect(changes == [Array("a".utf8): item("a", "2", 7), Array("b".utf8): nil])
            #expect(mirror.items.count == 1)
        }
    }
#endif
