#if Etcd
    import LayeredPrefs
    import PrefsDocuments
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct CanaryTests {
        typealias Canary = EtcdPrefsStorage.Canary

        private let hosts =
            (0..<2000).map { "web-\($0)" } + (0..<2000).map { "ip-10-0-\($0 / 256)-\($0 % 256).example.org" }
            + (1000..<3000).map { "node\($0)" }

        private func canary(_ percent: Int) -> Canary {
            Canary(key: "port", value: 1, percent: percent, revision: 5)
        }

        @Test func `no host is reached by 0 percent, every host by 100, and few by 1`() {
            #expect(!hosts.contains { canary(0).reaches(host: $0) })
            #expect(hosts.allSatisfy { canary(100).reaches(host: $0) })
            #expect((20...120).contains(hosts.count { canary(1).reaches(host: $0) }))
        }

        @Test(arguments: ["web-", "ip-", "node"])
        func `the hosts of a percentage are about as many, however the hosts are named`(_ prefix: String) {
            let named = hosts.filter { $0.hasPrefix(prefix) }
            for percent in [5, 10, 25, 50, 75] {
                let share =
                    Double(named.count { canary(percent).reaches(host: $0) }) * 100 / Double(named.count)
                #expect(abs(share - Double(percent)) < 4, "\(percent)%: \(share)")
            }
        }

        @Test func `a host that is reached stays reached when the percentage is raised`() {
            for host in hosts.prefix(300) {
                let reached = (0...100).map { canary($0).reaches(host: host) }
                #expect(reached == reached.sorted { !$0 && $1 })
            }
        }

        @Test func `the number of a host never changes`() {
            // These numbers come from another implementation of 64-bit FNV-1a.
            #expect(["", "a", "web-1", "é"].map(Canary.number) == [37, 96, 39, 17])
        }

        private func read(_ text: String) throws -> Canary {
            let item = EtcdItem(key: [0x61], value: Array(text.utf8), revision: 5)
            return try Canary(item, ofKey: "port", KeyMapping(prefix: "/p/.canary/"))
        }

        @Test func `a canary is read as it was stored`() throws {
            let stored = Canary.stored(["a": [1, "x"]], percent: 100)
            let canary = try read(String(decoding: stored.compactJSON(), as: UTF8.self))
            #expect(canary == Canary(key: "port", value: ["a": [1, "x"]], percent: 100, revision: 5))
        }

        @Test(arguments: [
            "", "10", "{", #"{"percent":10}"#, #"{"value":1}"#, #"{"percent":101,"value":1}"#,
            #"{"percent":-1,"value":1}"#, #"{"percent":"10","value":1}"#, #"{"percent":0.5,"value":1}"#,
        ])
        func `what is no canary is refused`(_ text: String) {
            #expect(throws: PrefsError.self) { try read(text) }
        }
    }
#endif
