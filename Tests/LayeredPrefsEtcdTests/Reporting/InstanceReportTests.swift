#if Etcd
    import LayeredPrefs
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct InstanceReportTests {
        private let port = PrefsKeyDescription(PersistentKey("http.port", defaultValue: 80, in: 1...65535))
        private let token = PrefsKeyDescription(
            PersistentKey("auth.token", defaultValue: "", .formerly("token"), .secret))
        private let auth = PrefsKeyDescription(PersistentKey("auth", defaultValue: [String: String]()))

        private func report(
            _ values: [String: PrefsValue], keys: [PrefsKeyDescription],
            mayShow: (String) -> Bool = { _ in true }
        ) -> InstanceReport {
            var report = InstanceReport()
            report.add(
                PrefsStack { PrefsLayer.defaults(values) }.snapshot, keys: keys, mayShow: mayShow)
            return report
        }

        private func read(_ text: [UInt8]) throws(MalformedAnswer) -> InstanceReport {
            try InstanceReport(of: EtcdItem(key: [], value: text, revision: 5))
        }

        @Test func `a report is read as it was written, whatever its names`() throws {
            var report = InstanceReport()
            (report.host, report.pid, report.program) = ("a\"b\\\u{1}é", 4711, "/usr/bin/my d")
            (report.generation, report.revision, report.values) = (.max, 12, "8f")
            (report.counts, report.rejected) = (["/p/": 3, "/l\"/": 0], ["http.port", "a\nb"])
            #expect(try read(report.json) == report)
        }

        @Test(arguments: [
            "", "x", "[]", #"{"host":"a"}"#, #"{"revision":3}"#, #"{"host":"a","revision":3,"pid":"x"}"#,
            #"{"host":"a","revision":3} x"#, #"{"host":"a","revision":3,"rejected":[1]}"#,
            #"{"host":"a","revision":3,"pid":99999999999}"#,
        ])
        func `what is no report is rejected`(_ text: String) {
            #expect(throws: MalformedAnswer.self) { try read(Array(text.utf8)) }
        }

        @Test func `the hash follows the effective values, and not what they are shadowed by or spelled as`()
        {
            let report = report(["http.port": 8080], keys: [port])
            #expect(report.values == self.report(["http": ["port": 8080]], keys: [port]).values)
            #expect(report.values != self.report(["http.port": 8081], keys: [port]).values)
            #expect(
                self.report([:], keys: [port]).values == self.report(["http.port": 80], keys: [port]).values)
            #expect(self.report(["http.port": 8080], keys: []).values.isEmpty)
        }

        @Test func `secrets, what contains them and what the cache leaves out have no part in the hash`() {
            let keys = [port, token, auth]
            let first = report(["http.port": 1, "auth": ["token": "a"], "token": "b"], keys: keys)
            let second = report(["http.port": 1, "auth": ["token": "c"], "token": "d"], keys: keys)
            #expect(first.values == second.values)
            #expect(first.values == report(["http.port": 1], keys: [port]).values)
            #expect(report(["auth.token": "a"], keys: [token]).values.isEmpty)
            #expect(report(["http.port": 1], keys: [port]) { $0 != "http.port" }.values.isEmpty)
        }

        @Test func `keys of which a value is rejected are named, secrets included, and bounded in number`() {
            let secret = PrefsKeyDescription(PersistentKey("pin", defaultValue: 0, .secret))
            let report = report(["http.port": 70_000, "pin": "x"], keys: [secret, port])
            #expect(report.rejected == ["http.port", "pin"])
            let names = (0..<200).map { "k\($0)" }
            let many = self.report(
                Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }),
                keys: names.map { PrefsKeyDescription(PersistentKey($0, defaultValue: 0)) })
            #expect(many.rejected.count == InstanceReport.mostListed)
        }

        @Test(
            arguments: [
                ([3, 5], false), ([3, 6], true), ([3], true), ([5, 4, 3], true), ([], true),
            ] as [([Int64], Bool)])
        func `a process is behind if a key was put after its revision, or one is missing`(
            _ revisions: [Int64], _ isBehind: Bool
        ) {
            var report = InstanceReport()
            (report.revision, report.counts) = (5, ["/p/": 2])
            let items = revisions.map { EtcdItem(key: [0x61], value: [], revision: $0) }
            #expect(report.isBehind(items, under: "/p/") == isBehind)
            #expect(!report.isBehind(items, under: "/not followed/"))
        }
    }
#endif
