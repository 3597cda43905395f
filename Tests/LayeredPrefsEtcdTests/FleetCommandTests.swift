#if Etcd
    import Foundation
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    /// The commands `prefs fleet …`, on a real server.
    @Suite(.enabled(if: EtcdServer.isInstalled, "etcd is not installed"))
    struct FleetCommandTests {
        private struct Run: Equatable {
            var status: Int32
            var output: String
            var errors: String
        }

        /// The tool, which is built into the folder of the test program.
        private static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "prefs")

        private func fleet(_ words: String..., endpoints: String) throws -> Run {
            try fleet(words, endpoints: endpoints)
        }

        private func fleet(
            _ words: [String], domain: String = "com.example.myd", endpoints: String
        ) throws -> Run {
            let process = Process()
            process.executableURL = Self.tool
            process.arguments = ["fleet", words[0], "--domain", domain] + words.dropFirst()
            process.environment = ["PREFS_ETCD_ENDPOINTS": endpoints]
            let (output, errors) = (Pipe(), Pipe())
            (process.standardOutput, process.standardError) = (output, errors)
            try process.run()
            // Both outputs are far smaller than a pipe's buffer.
            process.waitUntilExit()
            func text(_ pipe: Pipe) -> String {
                String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }
            return Run(status: process.terminationStatus, output: text(output), errors: text(errors))
        }

        @Test func `keys are set, listed, followed into the past and rolled back`() throws {
            let server = try EtcdServer()
            let url = server.url
            #expect(try fleet("set", "http.port=8080", "log.level=debug", endpoints: url).status == 0)
            let before = "http.port\t8080\trevision 2\nlog.level\tdebug\trevision 2\n"
            #expect(try fleet("get", endpoints: url).output == before)
            #expect(try fleet("set", "http.port=9090", "tls={\"min\":1}", endpoints: url).status == 0)
            #expect(
                try fleet("history", "http.port", endpoints: url).output
                    == "revision 3\t9090\nrevision 2\t8080\n")
            #expect(try fleet("get", "--revision", "2", endpoints: url).output == before)
            #expect(try fleet("rollback", "2", endpoints: url).status == 0)
            #expect(
                try fleet("get", endpoints: url).output
                    == "http.port\t8080\trevision 4\nlog.level\tdebug\trevision 2\n")
            #expect(try fleet("unset", "http", endpoints: url).status == 0)
            #expect(
                try fleet("get", "http", endpoints: url)
                    == Run(status: 1, output: "", errors: "prefs: http: not set\n"))
        }

        @Test func `the status lists processes that lag or reject, and its exit status tells scripts`() throws
        {
            let server = try EtcdServer()
            let url = server.url
            func put(_ instance: String, _ revision: Int64, _ count: Int, rejected: [String]) throws {
                var report = InstanceReport()
                (report.host, report.pid, report.program) = (instance, 7, "myd")
                (report.revision, report.rejected, report.values) = (revision, rejected, "abc")
                report.counts = ["/prefs/com.example.myd/": count]
                try server.put(
                    "/prefs-instances/com.example.myd/\(instance)/7",
                    String(decoding: report.json, as: UTF8.self))
            }
            let none = try fleet("status", endpoints: url)
            #expect(none.status == 1 && none.output.hasPrefix("0 processes"))
            #expect(try fleet("set", "http.port=8080", endpoints: url).status == 0)
            try put("a", 2, 1, rejected: [])
            let good = try fleet("status", endpoints: url)
            #expect(
                good
                    == Run(
                        status: 0,
                        output: "1 process, 0 behind, 0 with rejected values, 1 set of effective values\n",
                        errors: ""))
            try put("b", 1, 1, rejected: [])
            try put("c", 2, 1, rejected: ["http.port"])
            let bad = try fleet("status", "--wait", "0.1", endpoints: url)
            #expect(bad.status == 1)
            #expect(
                bad.output.split(separator: "\n").map(String.init) == [
                    "b\t7\trevision 1\tvalues abc\tbehind\tmyd",
                    "c\t7\trevision 2\tvalues abc\trejects http.port\tmyd",
                    "3 processes, 1 behind, 1 with rejected values, 1 set of effective values",
                ])
            let json = try fleet("status", "--json", endpoints: url)
            #expect(
                json.output.contains(
                    #"{"host": "b", "pid": 7, "program": "myd", "generation": 0, "revision": 1, "behind": true, "#
                        + #""rejected": [], "waiting": [], "values": "abc"}"#), "\(json.output)")
        }

        @Test func `a change reaches a part of the hosts, is explained, and promoted or aborted`() throws {
            let server = try EtcdServer()
            let url = server.url
            #expect(try fleet("set", "http.port=8080", endpoints: url).status == 0)
            #expect(try fleet("set", "--canary", "50%", "http.port=9090", endpoints: url).status == 0)
            var report = InstanceReport()
            for (host, revision) in [("web-1", 3), ("web-2", 2)] as [(String, Int64)] {
                (report.host, report.pid, report.revision) = (host, 7, revision)
                try server.put(
                    "/prefs-instances/com.example.myd/\(host)/7", String(decoding: report.json, as: UTF8.self)
                )
            }
            try server.put("/prefs-locks/com.example.myd/http", "")
            let explained = try fleet("explain", "http.port", endpoints: url)
            #expect(
                explained.output.split(separator: "\n").map(String.init) == [
                    "value\t8080\trevision 2", "canary\t9090\trevision 3, 50% of the hosts",
                    "lock\tetcd /prefs-locks/com.example.myd/http revision 6",
                    "web-1\t7\trevision 3\tcanary", "web-2\t7\trevision 2\tbehind",
                ])
            let json = try fleet("explain", "--json", "http.port", endpoints: url).output
            #expect(
                json.contains(
                    #""canary": {"key": "http.port", "value": 9090, "percent": 50, "revision": 3}"#),
                "\(json)")
            #expect(try fleet("get", endpoints: url).output == "http.port\t8080\trevision 2\n")
            #expect(try fleet("promote", "http.port", endpoints: url).status == 0)
            #expect(try fleet("get", endpoints: url).output == "http.port\t9090\trevision 7\n")
            #expect(try fleet("abort", "http.port", endpoints: url).status == 1)
            #expect(try fleet("set", "--canary", "101%", "http.port=1", endpoints: url).status == 2)
            #expect(try fleet("explain", "nothing", endpoints: url).status == 1)
        }

        /// Puts a report on the server.
        private func report(
            _ server: EtcdServer, host: String, revision: Int64, rejected: [String] = [],
            waiting: [String] = []
        ) throws {
            var report = InstanceReport()
            (report.host, report.pid, report.program, report.revision) = (host, 7, "myd", revision)
            (report.rejected, report.waiting) = (rejected, waiting)
            try server.put(
                "/prefs-instances/com.example.myd/\(host)/7", String(decoding: report.json, as: UTF8.self))
        }

        @Test(
            arguments: [
                (2, [], [], "has not answered for the canary of revision 3"),
                (3, ["http.port"], [], "rejects the value"), (3, ["http"], [], "rejects the value"),
                (3, [], ["http.port"], "has not answered for the canary of revision 3"),
            ] as [(Int64, [String], [String], String)])
        func `a canary that a reached host does not use is neither promoted nor widened`(
            revision: Int64, rejected: [String], waiting: [String], reason: String
        ) throws {
            let server = try EtcdServer()
            let url = server.url
            #expect(try fleet("set", "http.port=8080", endpoints: url).status == 0)
            #expect(try fleet("set", "--canary", "50", "http.port=9090", endpoints: url).status == 0)
            // The canary reaches web-1, but not web-2.
            try report(server, host: "web-1", revision: revision, rejected: rejected, waiting: waiting)
            try report(server, host: "web-2", revision: 2, rejected: ["http.port"])
            let before = try fleet("get", endpoints: url).output
            for command in [["promote", "http.port"], ["set", "--canary", "51", "http.port=9090"]] {
                for wait in [[], ["--wait", "0.1"]] {
                    let run = try fleet(command + wait, endpoints: url)
                    #expect(
                        run
                            == Run(
                                status: 1, output: "",
                                errors:
                                    "prefs: http.port: host web-1, process 7, \(reason); nothing is changed, unless"
                                    + " with --force\n"))
                }
            }
            #expect(try fleet("get", endpoints: url).output == before)
            #expect(try fleet("explain", "http.port", endpoints: url).output.contains("50% of the hosts"))
            // Another value, or fewer hosts, is a new trial.
            #expect(try fleet("set", "--canary", "50", "http.port=9090", endpoints: url).status == 0)
            #expect(try fleet("set", "--canary", "60", "http.port=9091", endpoints: url).status == 0)
            #expect(
                try fleet("set", "--canary", "70", "--force", "http.port=9091", endpoints: url).status == 0)
            #expect(try fleet("promote", "--force", "http.port", endpoints: url).status == 0)
            #expect(try fleet("get", endpoints: url).output.hasPrefix("http.port\t9091\t"))
        }

        @Test func `promote waits for the answers, and says if nobody can answer`() throws {
            let server = try EtcdServer()
            let url = server.url
            #expect(try fleet("set", "--canary", "50", "http.port=9090", endpoints: url).status == 0)
            try report(server, host: "web-1", revision: 1)
            let waiting = Thread { [self] in
                // The report may come before or after the first look at the reports; it makes no difference.
                _ = try? report(server, host: "web-1", revision: 2)
            }
            waiting.start()
            let run = try fleet("promote", "--wait", "60", "http.port", endpoints: url)
            #expect(run == Run(status: 0, output: "", errors: ""))
            #expect(try fleet("set", "--canary", "1", "log.level=debug", endpoints: url).status == 0)
            let unknown = try fleet("promote", "log.level", endpoints: url)
            #expect(
                unknown
                    == Run(
                        status: 0, output: "",
                        errors:
                            "prefs: warning: log.level: no process that the canary reaches reports whether it accepts"
                            + " the value\n"))
            #expect(try fleet("set", "--force", "log.level=info", endpoints: url).status == 2)
        }

        @Test func `the status lists processes that are applying a value`() throws {
            let server = try EtcdServer()
            try report(server, host: "web-1", revision: 1, waiting: ["http.port"])
            let run = try fleet("status", endpoints: server.url)
            #expect(run.status == 1)
            #expect(
                run.output.split(separator: "\n").map(String.init) == [
                    "web-1\t7\trevision 1\tvalues unknown\tis applying http.port\tmyd",
                    "1 process, 0 behind, 0 with rejected values, 1 applying values, 1 set of effective values",
                ])
        }

        @Test(arguments: [
            ["get"], ["get", "db.password"], ["get", "tls"], ["history", "db.password"], ["history", "tls"],
            ["explain", "db.password"], ["explain", "db.password", "--json"], ["explain", "tls", "--json"],
        ])
        func `secrets are masked unless they are asked for`(command: [String]) throws {
            let server = try EtcdServer()
            let url = server.url
            let tls = "tls={\"key\": \"hunter2\"}"
            #expect(try fleet("set", "db.password=hunter2", "db.user=ada", tls, endpoints: url).status == 0)
            #expect(try fleet("set", "--canary", "50%", "db.password=hunter3", endpoints: url).status == 0)
            let masked = try fleet(command, endpoints: url)
            #expect(masked.status == 0 && masked.output.contains("••••"), "\(masked)")
            #expect(!"\(masked)".contains("hunter"), "\(masked)")
            #expect(try fleet("get", endpoints: url).output.contains("ada"))
            #expect(try fleet(command + ["--show-secrets"], endpoints: url).output.contains("hunter2"))
        }

        @Test func `the schema decides which values of the fleet are secret`() throws {
            let server = try EtcdServer()
            let url = server.url
            let folder = try TemporaryFolder()
            let schema = """
                {"properties": {"pin": {"type": "integer", "x-prefs": {"type": "integer", "secret": true}},
                  "token": {"type": "string"}}}
                """
            try folder.write(schema, to: "schema.json")
            #expect(try fleet("set", "pin=4711", "token=shown", endpoints: url).status == 0)
            let run = try fleet("get", "--schema", "\(folder.path)/schema.json", endpoints: url)
            #expect(
                run
                    == Run(
                        status: 0, output: "pin\t••••\trevision 2\ntoken\tshown\trevision 2\n", errors: ""))
        }

        /// The endless answers of a hostile server.
        enum Flood: Sendable {
            case bytes, pages
        }

        @Test(arguments: [Flood.bytes, .pages])
        func `a server that sends without end costs bounded memory`(_ flood: Flood) throws {
            let value = [UInt8](repeating: 0x61, count: 1 << 20).base64
            let server = try FakeServer { request, count in
                guard request.path == "/v3/kv/range" else { return .silence }
                if flood == .bytes { return .endless(String(repeating: "x", count: 1 << 20)) }
                // The keys ascend, so that each page is valid.
                let items = (0..<30).map { index in
                    let key = Array("/prefs/com.example.myd/\(100_000 + count * 100 + index)".utf8).base64
                    return #"{"key":"\#(key)","mod_revision":"3","value":"\#(value)"}"#
                }
                return .body(
                    #"{\#(FakeServer.header(5)),"more":true,"kvs":[\#(items.joined(separator: ","))]}"#)
            }
            // ThreadSanitizer slows the client's thread down, so the process may end before that thread has
            // stopped.
            let tool = [
                "/usr/bin/env", "TSAN_OPTIONS=report_thread_leaks=0", Self.tool.path(percentEncoded: false),
            ]
            let run = try ChildProcess.run(
                tool + ["fleet", "get", "--prefix", "/prefs/com.example.myd/", "--endpoints", server.url])
            #expect(run.status == 4)
            print("\(flood): at most \(run.largestMemory >> 20) MiB")
            #expect(run.largestMemory < 1 << 30)
        }

        @Test(arguments: ["get", "status", "rollback 1"])
        func `a domain or a prefix that is none is rejected`(_ command: String) throws {
            let words = command.split(separator: " ").map(String.init)
            for domain in ["", "a/b", "..", "."] {
                let run = try fleet(words, domain: domain, endpoints: "http://127.0.0.1:1")
                #expect(run.status == 2 && run.errors.contains("is not a domain"), "\(run)")
            }
            for prefix in ["", "/"] {
                let run = try fleet(words + ["--prefix", prefix], endpoints: "http://127.0.0.1:1")
                #expect(run.status == 2 && run.errors.contains("prefix"), "\(run)")
            }
            let run = try fleet(words, endpoints: "http://ada:hunter2@127.0.0.1:1")
            #expect(run.status == 2 && run.errors.contains("credentials") && !"\(run)".contains("hunter2"))
        }

        @Test func `members that are dead or hang are passed over`() throws {
            let (server, hanging) = (try EtcdServer(), try FakeServer { _, _ in .silence })
            for first in ["http://127.0.0.1:1", hanging.url] {
                let url = "\(first),\(server.url)"
                let set = try fleet("set", "http.port=8080", endpoints: url)
                #expect(set.status == 0, "\(set)")
                let get = try fleet("get", "http", endpoints: url)
                #expect(get.status == 0 && get.output.hasPrefix("http.port\t8080\t"), "\(get)")
            }
        }

        @Test(arguments: [#"{"a":"#, "[1", #" {"a":1,"a":2}"#])
        func `broken JSON is not stored as text`(_ value: String) throws {
            let server = try EtcdServer()
            let run = try fleet("set", "tls=\(value)", endpoints: server.url)
            #expect(run.status == 2 && run.errors.contains("tls") && run.errors.contains("JSON"), "\(run)")
            #expect(try fleet("get", endpoints: server.url).output == "")
        }

        @Test func `a key that contains others, or lies in another's value, is explained`() throws {
            let server = try EtcdServer()
            let url = server.url
            #expect(
                try fleet("set", "http.port=8080", #"tls={"min":"1.3"}"#, endpoints: url).status == 0)
            #expect(try fleet("set", "--canary", "50%", "http.port=9090", endpoints: url).status == 0)
            #expect(
                try fleet("explain", "tls.min", endpoints: url).output == "value\t1.3\trevision 2\n")
            #expect(
                try fleet("explain", "http", endpoints: url).output
                    == "value\t'{\"port\": 8080}'\trevision 2\ncanary http.port\t9090\trevision 3, 50% of the hosts\n"
            )
            #expect(try fleet("explain", "tls.max", endpoints: url).status == 1)
        }

        @Test func `a command may end while its connection is being made`() throws {
            for _ in 0..<20 {
                let run = try fleet("get", "--revision=0", endpoints: "http://127.0.0.1:1")
                #expect(run.status == 1, "\(run)")
            }
        }

        @Test func `a revision that does not exist is an error that says so`() throws {
            let server = try EtcdServer()
            let url = server.url
            for value in 1...3 { #expect(try fleet("set", "a=\(value)", endpoints: url).status == 0) }
            try server.compact(at: 3)
            for (revision, reason) in [
                ("0", "no revision 0"), ("-1", "no revision -1"), ("999", "has not reached revision 999"),
                ("2", "compacted its history, and lacks revision 2"),
            ] {
                for command in [["rollback", "--", revision], ["get", "--revision=\(revision)"]] {
                    let run = try fleet(command, endpoints: url)
                    #expect(run.status == 1 && run.errors.contains(reason), "\(command): \(run)")
                }
            }
            #expect(try fleet("get", endpoints: url).output == "a\t3\trevision 4\n")
        }

        @Test(arguments: [
            (#"{"error":"etcdserver: permission denied","code":7}"#, 403, "permission denied"),
            (
                #"{"error":"etcdserver: authentication failed, invalid user ID or password","code":3}"#, 400,
                "authentication failed"
            ),
        ])
        func `a rejection by permissions has an exit code of its own`(
            _ body: String, _ status: Int, _ reason: String
        ) throws {
            let server = try FakeServer { _, _ in .body(body, status: status) }
            for command in [["get"], ["set", "a=1"], ["rollback", "2"], ["explain", "a"], ["status"]] {
                let run = try fleet(command, endpoints: server.url)
                #expect(run.status == 3 && run.errors.contains(reason), "\(command): \(run)")
            }
        }

        @Test func `a failure has an exit code and a reason`() throws {
            let server = try EtcdServer()
            #expect(try fleet("rollback", "999", endpoints: server.url).status == 1)
            #expect(try fleet("set", "no-assignment", endpoints: server.url).status == 2)
            let unreachable = try fleet("get", endpoints: "http://127.0.0.1:1")
            #expect(unreachable.status == 6 && unreachable.errors.contains("connect"))
        }
    }
#endif
