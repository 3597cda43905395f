#if Etcd
    import LayeredPrefs
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct CanaryPlanTests {
        private func items(_ contents: [String: String]) -> [[UInt8]: EtcdItem] {
            let items = contents.map {
                EtcdItem(key: Array("/p/\($0)".utf8), value: Array($1.utf8), revision: 7)
            }
            return EtcdMirror(items: items, header: EtcdHeader()).items
        }

        private func plan(_ names: String...) -> CanaryPlan {
            CanaryPlan(
                mapping: KeyMapping(prefix: "/p/"), canaries: KeyMapping(prefix: "/p/.canary/"), names: names)
        }

        private func text(_ changes: [EtcdRequests.Change]) -> [String: String?] {
            Dictionary(
                uniqueKeysWithValues: changes.map { change in
                    (
                        String(decoding: change.key.dropFirst(3), as: UTF8.self),
                        change.value.map { String(decoding: $0, as: UTF8.self) }
                    )
                })
        }

        private let canary = #"{"percent":10,"value":2}"#

        @Test func `promoting stores the value and removes the canary, and is done once that is so`() throws {
            var plan = plan("a.b")
            let before = items(["a/b": "1", ".canary/a/b": canary, ".canary/c": canary])
            let (first, second) = (
                try plan.promotion(of: before),
                try plan.promotion(of: items(["a/b": "2", ".canary/c": canary]))
            )
            #expect(text(first) == ["a/b": "2", ".canary/a/b": nil])
            #expect(second.isEmpty)
        }

        @Test func `a canary that another writer ends meanwhile is not promoted`() throws {
            var plan = plan("a.b")
            _ = try plan.promotion(of: items(["a/b": "1", ".canary/a/b": canary]))
            let outcome = Result { try plan.promotion(of: items(["a/b": "1"])) }
            #expect(throws: PrefsError.self) { try outcome.get() }
        }

        @Test func `a canary that another writer replaces meanwhile is promoted with its new value`() throws {
            var plan = plan("a")
            _ = try plan.promotion(of: items([".canary/a": canary]))
            let replaced = items([".canary/a": #"{"percent":20,"value":3}"#])
            let changes = try plan.promotion(of: replaced)
            #expect(text(changes) == ["a": "3", ".canary/a": nil])
        }

        @Test func `aborting removes only the canary of that key, and is done once it is gone`() throws {
            var plan = plan("a")
            let before = items(["a": "1", ".canary/a": canary, ".canary/a/b": canary])
            let first = try plan.removal(of: before)
            let second = try plan.removal(of: items(["a": "1", ".canary/a/b": canary]))
            #expect(text(first) == [".canary/a": nil] && second.isEmpty)
        }

        @Test(arguments: [true, false])
        func `a key without a canary is an error that names it`(_ promotes: Bool) {
            var plan = plan("a", "b")
            let items = items(["a": "1", ".canary/a": canary])
            let outcome = Result {
                promotes ? try plan.promotion(of: items) : try plan.removal(of: items)
            }
            #expect {
                try outcome.get()
            } throws: {
                let error = $0 as? PrefsError
                return error?.code == .missing && error?.key == "b"
            }
        }
    }
#endif
