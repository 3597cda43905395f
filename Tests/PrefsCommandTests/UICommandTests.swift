import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// `prefs ui`, addressed as a browser does and as an attacker would.
@Suite struct UICommandTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(
            Sandbox.plist("<key>http</key><dict><key>port</key><integer>80</integer></dict>"),
            to: sandbox.user)
    }

    private func start() throws -> PageRun { try PageRun(sandbox, ["--schema", sandbox.schema]) }

    @Test func `the page is served with a policy that admits no other source`() throws {
        let page = try start()
        for path in [
            "/", "/page.css", "/page.js", "/server.js", "/table.js", "/panel.js", "/rejections.js",
            "/icon.svg",
        ] {
            let answer = try page.get(path, session: nil)
            #expect(answer.status == 200, "\(path)")
            #expect(answer.head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"))
            #expect(!answer.head.contains("unsafe"))
            #expect(answer.head.contains("X-Content-Type-Options: nosniff"))
            #expect(!answer.body.contains("https://"), "\(path)")
        }
    }

    @Test func `a token opens one session`() throws {
        let page = try start()
        #expect(try page.get("/api/list", session: nil).status == 401)
        #expect(try page.get("/api/list", session: page.token).status == 401)
        #expect(try page.post("/api/session", ["token": "x"], session: nil).status == 403)
        let session = try page.open()
        let list = try page.get("/api/list?subject=files&key=http.port", session: session)
        #expect(list.status == 200)
        let keys = list.object["keys"] as? [[String: Any]]
        #expect(keys?.first?["value"] as? String == "80")
        #expect(keys?.first?["type"] as? String == "integer")
        let replay = try page.post("/api/session", ["token": page.token], session: nil)
        #expect(replay.status == 403)
        #expect(try page.get("/api/list", session: session + "0").status == 401)
    }

    @Test(arguments: [
        "Host: evil.example", "Host: 127.0.0.1.evil.example", "Host: localhost:x", "Host: [::1]",
        "Host: 127.0.0.1\r\nOrigin: http://evil.example", "Host: 127.0.0.1\r\nOrigin: null",
        "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1:1", "Host: 127.0.0.1\r\nOrigin: https://127.0.0.1",
        "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site", "Host: 127.0.0.1\r\nSec-Fetch-Site: same-site",
        "X: y",
    ])
    func `another host or origin is rejected`(headers: String) throws {
        let page = try start()
        let session = try page.open()
        for path in ["/", "/api/list", "/api/events", "/api/session"] {
            let answer = try page.send(
                "GET \(path) HTTP/1.1\r\n\(headers)\r\nAuthorization: Bearer \(session)\r\n\r\n")
            #expect(answer.status == 403, "\(path)")
            #expect(!answer.body.contains("keys"))
        }
    }

    @Test(arguments: [
        "/../etc/passwd", "/page.js/../index.html", "/%2e%2e/etc/passwd", "//etc/passwd", "/page.css%00",
        "/api", "/api/", "/api/../page.js", "/favicon.ico",
    ])
    func `no other path is served`(path: String) throws {
        let page = try start()
        let answer = try page.get(path, session: try page.open())
        #expect(answer.status == 404)
        #expect(!answer.body.contains("root:"))
    }

    @Test func `malformed and oversized requests are rejected and the command goes on`() throws {
        let page = try start()
        #expect(try page.send("\r\n\r\n").status == 400)
        #expect(
            try page.send(
                "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: \(String(repeating: "x", count: 40_000))\r\n\r\n"
            ).status == 431)
        #expect(
            try page.send("POST /api/edit HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n")
                .status == 413)
        #expect(
            try page.send("POST /api/edit HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
                .status == 501)
        #expect(try page.send("BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").status == 405)
        let session = try page.open()
        let deep = String(repeating: "[", count: 60_000)
        let body = try page.send(
            "POST /api/edit HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(session)\r\nContent-Type: application/json\r\nContent-Length: \(deep.utf8.count)\r\n\r\n\(deep)"
        )
        #expect(body.status == 400)
        // A form of another page cannot send JSON.
        let form = #"{"subject":"files","layer":"user","key":"http.port","text":"1"}"#
        let plain = try page.send(
            "POST /api/edit HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(session)\r\nContent-Type: text/plain\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)"
        )
        #expect(plain.status == 400)
        #expect(try page.get("/api/list", session: session).status == 200)
    }

    @Test func `edits are checked, explained and made`() throws {
        let page = try start()
        let session = try page.open()
        func edit(_ path: String, _ text: String?, key: String = "http.port") throws -> [String: Any] {
            let edit = ["subject": "files", "layer": "user", "key": key, "text": text]
            return try page.post(path, edit.compactMapValues(\.self), session: session).object
        }
        let wrong = try edit("/api/check", "many")
        #expect((wrong["error"] as? String)?.contains("expected an integer") == true)
        #expect((try edit("/api/check", "0")["error"] as? String)?.contains("1...65535") == true)
        let right = try edit("/api/check", "81")
        #expect(right["error"] == nil)
        let command = try #require(right["command"] as? String)
        #expect(
            command.hasPrefix("prefs set --layer system=") && command.hasSuffix(" --to user http.port 81"))
        #expect(try sandbox.layered("get", "http.port").output == "80\n")
        #expect(try edit("/api/edit", "many")["error"] != nil)
        #expect(try edit("/api/edit", "81")["error"] == nil)
        #expect(try sandbox.layered("get", "http.port").output == "81\n")
        // The command that the page shows does the same.
        let shell = command.replacing("prefs set", with: "\(Sandbox.tool) set").replacing(" 81", with: " 82")
        #expect(try sandbox.run("/bin/sh", ["-c", shell]).status == 0)
        #expect(try sandbox.layered("get", "http.port").output == "82\n")
        #expect(try edit("/api/edit", nil)["error"] == nil)
        #expect(try sandbox.layered("get", "http.port").status == 1)
    }

    @Test func `a locked key names its lock`() throws {
        try sandbox.write("http\n", to: "\(sandbox.root)/system.locks")
        let page = try start()
        let edit = ["subject": "files", "layer": "user", "key": "http.port", "text": "81"]
        let session = try page.open()
        for path in ["/api/check", "/api/edit"] {
            let error = try page.post(path, edit, session: session).object["error"] as? String
            #expect(error?.contains("system.locks") == true, "\(error ?? "")")
        }
        #expect(try sandbox.text(of: sandbox.user).contains("81") == false)
    }

    @Test func `changes are streamed`() throws {
        let page = try start()
        let stream = try page.stream("/api/events?subject=files", session: try page.open())
        try stream.wait(for: "\"status\"")
        _ = try sandbox.layered("set", "http.port", "81")
        try stream.wait(for: "http.port")
    }

    @Test func `secrets are not sent`() throws {
        try sandbox.write(Sandbox.plist("<key>token</key><string>hunter2</string>"), to: sandbox.user)
        let page = try start()
        let session = try page.open()
        for path in ["list", "explain?key=token", "history?key=token", "status"] {
            #expect(
                try page.get("/api/\(path)", session: session).body.contains("hunter2") == false, "\(path)")
        }
    }

    @Test func `without a schema, values whose keys suggest a secret are not sent`() throws {
        try sandbox.write(
            Sandbox.plist(
                """
                <key>db_password</key><string>hunter2</string>
                <key>auth</key><dict>
                  <key>apiToken</key><string>hunter2</string><key>user</key><string>ada</string>
                </dict>
                <key>upstreams</key><array><dict><key>key</key><string>hunter2</string></dict></array>
                """), to: sandbox.user)
        let page = try PageRun(sandbox, [])
        let session = try page.open()
        let stream = try page.stream("/api/events?subject=files", session: session)
        try stream.wait(for: "\"status\"")
        try sandbox.write(
            Sandbox.plist(
                "<key>db_password</key><string>hunter3</string><key>auth</key><string>ada</string>"),
            to: sandbox.user)
        try stream.wait(for: "upstreams")
        _ = try sandbox.layered("set", "greeting", "hello")
        try stream.wait(for: "hello")
        #expect(!stream.received.contains("hunter"), "\(stream.received)")
        let keys = ["db_password", "db_password.x", "auth", "auth.apiToken", "upstreams"]
        let paths = keys.flatMap { ["explain?key=\($0)", "history?key=\($0)", "list?key=\($0)"] }
        for path in paths + ["list", "history", "status", "rejected"] {
            let answer = try page.get("/api/\(path)", session: session)
            #expect(answer.status == 200 && !answer.body.contains("hunter"), "\(path): \(answer.body)")
        }
        #expect(try page.get("/api/list", session: session).body.contains("ada"))
    }

    @Test func `a process is shown, and its overrides are set as far as it permits`() throws {
        let sockets = try PrefsSandbox()
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { PrefsLayer.overrides }
        let inspection = try storage.serveInspection(
            domain: "com.example.page",
            keys: [PrefsKeyDescription(PersistentKey("http.port", defaultValue: 8080, in: 1...65535))],
            in: "\(sockets.root)/prefs", permitting: .overrides)
        defer { inspection.close() }
        let pid = ProcessInfo.processInfo.processIdentifier
        let page = try PageRun(sandbox, [], environment: ["XDG_RUNTIME_DIR": sockets.root])
        let session = try page.open()
        let subjects = try page.get("/api/subjects", session: session).object["subjects"] as? [[String: Any]]
        let id = "pid:\(pid):com.example.page"
        #expect(subjects?.map { $0["id"] as? String }.contains(id) == true)
        var edit = ["subject": id, "layer": "overrides", "key": "http.port", "text": "0"]
        let wrong = try page.post("/api/check", edit, session: session).object
        #expect((wrong["error"] as? String)?.contains("1...65535") == true)
        #expect(wrong["command"] as? String == "prefs set --pid \(pid) http.port 0")
        edit["text"] = "9090"
        #expect(try page.post("/api/check", edit, session: session).object["error"] == nil)
        #expect(try page.post("/api/edit", edit, session: session).object["error"] == nil)
        #expect(storage.value(forKey: "http.port") == 9090)
        let gone = try page.get("/api/list?subject=pid:1:com.example.page", session: session)
        #expect(gone.status == 404 || gone.object["error"] != nil)
    }

    @Test func `an edit is shown as a difference without secrets, and reverted`() throws {
        try sandbox.write(
            Sandbox.plist(
                "<key>token</key><string>hunter2</string><!-- kept -->\n<key>http</key><dict><key>port</key><integer>80</integer></dict>"
            ), to: sandbox.user)
        let page = try start()
        let session = try page.open()
        let edit = ["subject": "files", "layer": "user", "key": "http.port", "text": "81"]
        let answer = try page.post("/api/check", edit, session: session)
        #expect(!answer.body.contains("hunter2"))
        let lines = (answer.object["difference"] as? [String: Any])?["lines"] as? [[String: String]] ?? []
        let changed = lines.filter { $0["mark"] != " " }
        #expect(changed.map { $0["mark"] } == ["-", "+"], "\(lines)")
        #expect(changed.last?["text"]?.contains("<integer>81</integer>") == true)
        #expect(lines.contains { $0["text"]?.contains("••••") == true })
        #expect(try sandbox.layered("get", "http.port").output == "80\n")
        let saved = try page.post("/api/edit", edit, session: session).object
        let number = try #require(saved["revert"] as? Int)
        let original = try sandbox.text(of: sandbox.user)
        let removed = try page.post(
            "/api/edit", ["subject": "files", "layer": "user", "key": "token"], session: session
        ).object
        #expect(
            try page.post("/api/revert", ["number": removed["revert"] as? Int ?? 0], session: session).object[
                "error"] == nil)
        #expect(try sandbox.text(of: sandbox.user).contains("hunter2"))
        #expect(try page.post("/api/revert", ["number": number], session: session).object["error"] == nil)
        #expect(try sandbox.layered("get", "http.port").output == "80\n", "\(original)")
        #expect(try page.post("/api/revert", ["number": number], session: session).object["error"] != nil)
    }

    @Test func `an edit is not reverted over a later one`() throws {
        let page = try start()
        let session = try page.open()
        let edit = ["subject": "files", "layer": "user", "key": "http.port", "text": "81"]
        let number = try page.post("/api/edit", edit, session: session).object["revert"] as? Int
        _ = try page.post("/api/edit", edit.merging(["text": "82"]) { $1 }, session: session)
        let error = try page.post("/api/revert", ["number": number ?? 0], session: session).object["error"]
        #expect((error as? String)?.contains("changed since") == true)
        #expect(try sandbox.layered("get", "http.port").output == "82\n")
    }

    @Test func `a variable that shadows what would be saved is named`() throws {
        let page = try PageRun(
            sandbox, ["--schema", sandbox.schema, "--env", "MYD"], environment: ["MYD_HTTP_PORT": "8181"])
        let edit = ["subject": "files", "layer": "user", "key": "http.port", "text": "81"]
        let remark = try page.post("/api/check", edit, session: try page.open()).object["remark"]
        #expect(remark as? String == "the variable MYD_HTTP_PORT shadows what is saved here")
    }

    @Test(arguments: ["port = many", "http.port = 70000\ntoken = \"hunter2\"\n"])
    func `a version that is rejected is shown with its lines and without secrets`(text: String) throws {
        let file = "\(sandbox.root)/site.toml"
        try sandbox.write("http.port = 80\n", to: file)
        let page = try PageRun(sandbox, ["--schema", sandbox.schema, "--layer", "site=\(file)"])
        let session = try page.open()
        #expect(
            (try page.get("/api/rejected", session: session).object["rejections"] as? [Any])?.isEmpty == true)
        try sandbox.write(text, to: file)
        var answer = try page.get("/api/rejected", session: session)
        let deadline = ContinuousClock.now + .seconds(30)
        while answer.object["rejections"].map({ ($0 as? [Any])?.isEmpty ?? true }) ?? true {
            try #require(ContinuousClock.now < deadline)
            usleep(20_000)
            answer = try page.get("/api/rejected", session: session)
        }
        let rejection = (answer.object["rejections"] as? [[String: Any]])?.first
        #expect(rejection?["file"] as? String == file)
        let problem = (rejection?["problems"] as? [[String: Any]])?.first
        #expect((problem?["text"] as? String)?.contains("\(file):1:") == true, "\(answer.body)")
        #expect(problem?["line"] as? Int == 1)
        let excerpt = problem?["excerpt"] as? [String]
        #expect(excerpt?.first == text.split(separator: "\n").first.map(String.init))
        #expect(!answer.body.contains("hunter2"))
    }

    @Test(.enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
    func `connections of another user do not use up this user's`() throws {
        let page = try start()
        let session = try page.open()
        let port = try #require(URLComponents(string: page.url)?.port)
        let holder = Process()
        let pipe = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        holder.arguments = [
            "--reuid=65534", "--regid=65534", "--clear-groups", "/bin/bash", "-c",
            "for i in {1..80}; do exec {fd}<>/dev/tcp/127.0.0.1/\(port); done; echo held; exec sleep 60",
        ]
        holder.standardOutput = pipe
        try holder.run()
        defer { holder.terminate() }
        #expect(String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) == "held\n")
        for _ in 0..<10 { #expect(try page.get("/api/list", session: session).status == 200) }
    }
}
