import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// Drives the page of `prefs ui` in a browser; started by `Scripts/test-browser`.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["PREFS_BROWSER"] == "1"))
struct BrowserTests {
    private static let domain = "com.example.edit"
    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let overrides = DictionaryPrefsStorage()
    private let storage: LayeredPrefsStorage

    init() throws {
        sandbox = try Sandbox(
            system: "etc/xdg/\(Self.domain).toml", user: "home/ada/.config/\(Self.domain).toml")
        sockets = try PrefsSandbox()
        try sandbox.write(
            """
            level = "info"

            [http]
            host = "0.0.0.0"
            port = 8443

            """, to: sandbox.system)
        try sandbox.write("http.host\n", to: "\(sandbox.root)/etc/xdg/\(Self.domain).locks")
        try sandbox.write(
            """
            greeting = '<b onclick="x()">hi</b>'
            ratio = 2.5
            token = "hunter2"
            limits = { cpu = 4 }

            """, to: sandbox.user)
        storage = LayeredPrefsStorage(diagnostics: PrefsDiagnostics { _ in }) { [overrides] in
            PrefsLayer(.overrides, overrides)
        }
    }

    private func serve() throws -> PrefsInspection {
        try storage.serveInspection(
            domain: Self.domain,
            keys: [
                PrefsKeyDescription(PersistentKey("http.port", defaultValue: 8080, in: 1...65535)),
                PrefsKeyDescription(PersistentKey("level", defaultValue: "info")),
            ], in: "\(sockets.root)/prefs", permitting: .overrides)
    }

    private func open(
        width: Int = 1360, height: Int = 860, isDark: Bool = false, _ extra: [String] = []
    ) throws -> (PageRun, WebDriver) {
        let page = try PageRun(
            sandbox, extra + ["--schema", sandbox.schema], environment: ["XDG_RUNTIME_DIR": sockets.root])
        let browser = try WebDriver(page, width: width, height: height, isDark: isDark)
        try browser.visit(page.url)
        try browser.wait(
            until: "document.querySelector('#live.on') && document.querySelector('.spacer .row')")
        return (page, browser)
    }

    private func row(_ key: String) -> String { "document.querySelector('[data-key=\"\(key)\"]')" }

    private func show(_ key: String, in browser: WebDriver) throws {
        try browser.run("\(row(key)).click()")
        try browser.wait(until: "document.querySelector('#panel h2')?.textContent === '\(key)'")
    }

    private func keep(_ picture: Data, as name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["PREFS_PICTURES"] else { return }
        try picture.write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
    }

    @Test func `the token leaves the address and a second page needs another one`() throws {
        let (page, browser) = try open()
        #expect(
            try browser.run("return location.href") as? String
                == page.url.split(separator: "#").first.map(String.init))
        #expect(try browser.run("return document.cookie") as? String == "")
        let other = try WebDriver(page, width: 800, height: 600)
        try other.visit(page.url)
        try other.wait(until: "!document.querySelector('#banner').hidden")
        #expect(try other.run("return document.querySelectorAll('.spacer .row').length") as? Int == 0)
        other.end()
        browser.end()
    }

    @Test func `search and filters narrow the table`() throws {
        let (_, browser) = try open()
        try browser.press("/")
        try browser.press("http")
        try browser.wait(until: "document.querySelectorAll('.spacer .row').length === 2")
        try browser.run(
            "document.querySelector('#search').value = ''; document.querySelector('#search').dispatchEvent(new Event('input'))"
        )
        try browser.run("document.querySelector('[data-filter=rejected]').click()")
        try browser.wait(until: "document.querySelectorAll('.spacer .row').length === 1")
        #expect(
            try browser.run("return document.querySelector('.spacer .row').dataset.key") as? String
                == "ratio")
        browser.end()
    }

    @Test func `an edit of a file changes and marks the row`() throws {
        let (_, browser) = try open()
        try show("http.port", in: browser)
        _ = try sandbox.layered("set", "http.port", "9090")
        try browser.wait(
            until:
                "\(row("http.port"))?.matches('.changed') && \(row("http.port")).innerText.includes('9090')")
        try browser.wait(until: "document.querySelector('.history')?.innerText.includes('8443 → 9090')")
        try browser.wait(
            until: "document.querySelector('.layers .effective')?.innerText.includes('\(Self.domain).toml:')")
        browser.end()
    }

    @Test func `a wrong value is explained while it is typed and a right one is saved`() throws {
        let (_, browser) = try open()
        try show("http.port", in: browser)
        try browser.run(
            "document.querySelector('[name=value]').focus(); document.querySelector('[name=value]').select()")
        try browser.press("many")
        try browser.wait(
            until: "document.querySelector('.verdict.bad')?.textContent.includes('expected an integer')")
        #expect(
            try browser.run("return document.querySelector('[name=save]').disabled") as? Bool == true)
        #expect(
            try browser.run(
                "return document.querySelector('[name=value]').getAttribute('aria-invalid')") as? String
                == "true")
        try browser.run("document.querySelector('[name=value]').select()")
        try browser.press("9191")
        try browser.wait(
            until:
                "!document.querySelector('[name=save]').disabled && document.querySelector('.edit code').textContent.endsWith('--to system http.port 9191')"
        )
        try browser.press("\u{E007}")
        try browser.wait(until: "\(row("http.port")).innerText.includes('9191')")
        #expect(try sandbox.layered("get", "http.port").output == "9191\n")
        browser.end()
    }

    @Test func `a locked key names the lock`() throws {
        let (_, browser) = try open()
        try show("http.host", in: browser)
        try choose("[name=layer]", "user", in: browser)
        try browser.wait(
            until: "document.querySelector('.verdict.bad')?.textContent.includes('\(Self.domain).locks')")
        #expect(
            try browser.run("return \(row("http.host")).querySelector('.badge').textContent") as? String
                == "locked")
        browser.end()
    }

    @Test func `markup is text and secrets stay away`() throws {
        let (_, browser) = try open()
        try show("greeting", in: browser)
        #expect(try browser.run("return document.querySelectorAll('b[onclick]').length") as? Int == 0)
        #expect(
            try browser.run("return document.querySelector('.now').textContent") as? String
                == #"<b onclick="x()">hi</b>"#)
        try show("token", in: browser)
        #expect(
            try browser.run("return document.documentElement.innerHTML.includes('hunter2')") as? Bool
                == false)
        #expect(
            try browser.run("return document.querySelector('[name=value]').type") as? String
                == "password")
        browser.end()
    }

    @Test func `a process is compared, changed and ends`() throws {
        let inspection = try serve()
        let (_, browser) = try open()
        let id = "pid:\(ProcessInfo.processInfo.processIdentifier):\(Self.domain)"
        func choose(_ list: String, _ id: String) throws {
            try browser.wait(
                until:
                    "[...document.querySelector('#\(list)').options].some((option) => option.value === '\(id)')"
            )
            try browser.run(
                "const list = document.querySelector('#\(list)'); list.value = '\(id)'; list.dispatchEvent(new Event('change'))"
            )
        }
        try choose("compare", id)
        try browser.wait(
            until:
                "\(row("http.port")).querySelector('.badge.differs') && \(row("http.port")).innerText.includes('≠ 8080')"
        )
        #expect(try browser.run("return \(row("level")).querySelector('.badge.differs')") is NSNull)
        try choose("subject", id)
        try browser.wait(until: "\(row("http.port"))?.innerText.includes('8080')")
        try overrides.setValue(7070, forKey: "http.port")
        try browser.wait(until: "\(row("http.port"))?.innerText.includes('7070')")
        inspection.close()
        try browser.wait(
            until:
                "!document.querySelector('#banner').hidden && document.querySelector('#banner').textContent.includes('ended')"
        )
        // Its last values stay visible.
        #expect(
            try browser.run("return \(row("http.port")).innerText.includes('7070')") as? Bool == true)
        browser.end()
    }

    @Test func `the keyboard alone suffices, and roles name what is shown`() throws {
        let (_, browser) = try open()
        try browser.press("/")
        try browser.press("http\u{E015}")
        try browser.wait(
            until:
                "document.activeElement.id === 'grid' && document.querySelector('[aria-selected=true]')?.dataset.key === 'http.host'"
        )
        try browser.press("\u{E015}\u{E007}")
        try browser.wait(
            until:
                "document.activeElement.name === 'close' && document.querySelector('#panel h2').textContent === 'http.port'"
        )
        try browser.press("\u{E00C}")
        try browser.wait(
            until: "document.querySelector('#panel').hidden && document.activeElement.id === 'grid'")
        #expect(
            try browser.run("return document.querySelector('#grid').getAttribute('aria-rowcount')")
                as? String == "3")
        let unnamed =
            "return [...document.querySelectorAll('input, select, textarea, button')].filter((field) => !field.labels?.length && !field.getAttribute('aria-label') && !field.textContent.trim()).length"
        #expect(try browser.run(unnamed) as? Int == 0)
        browser.end()
    }

    @Test func `10,000 keys are shown with the rows of one screen`() throws {
        let entries = (0..<10_000).map { "key\($0) = \($0)\n" }.joined()
        try sandbox.write(entries, to: sandbox.user)
        let (_, browser) = try open()
        try browser.wait(until: "document.querySelector('#count').textContent.startsWith('100')")
        #expect(
            try browser.run("return document.querySelectorAll('.spacer .row').length") as? Int ?? 1000
                < 100)
        try browser.run("document.querySelector('#grid').focus()")
        try browser.press("\u{E010}")
        try browser.wait(
            until: "document.querySelector('.spacer .row[aria-selected=true]')?.dataset.key === 'token'")
        #expect(
            try browser.run("return document.querySelectorAll('.spacer .row').length") as? Int ?? 1000
                < 100)
        browser.end()
    }

    @Test(arguments: [("page", 1360, false), ("page~dark", 1360, true), ("page-narrow", 420, false)])
    func `the page fits its window, light and dark`(name: String, width: Int, isDark: Bool) throws {
        _ = try sandbox.layered("set", "http.port", "9443")
        _ = try sandbox.layered("unset", "greeting")
        let inspection = try serve()
        defer { inspection.close() }
        let (_, browser) = try open(width: width, height: 860, isDark: isDark)
        _ = try sandbox.layered("set", "level", "debug")
        try show("http.port", in: browser)
        try browser.wait(until: "document.querySelector('.edit code')?.textContent")
        // The sandbox stands for the root of a machine.
        try browser.run(
            "for (const text of document.querySelectorAll('.place, .edit option, .edit code')) text.textContent = text.textContent.replaceAll('\(sandbox.root)', '')"
        )
        try keep(try browser.picture(), as: name)
        let scheme = try browser.run("return matchMedia('(prefers-color-scheme: dark)').matches")
        #expect(scheme as? Bool == isDark)
        let overflow = try browser.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        #expect(overflow as? Int ?? 0 <= 0)
        browser.end()
    }

    private func choose(_ list: String, _ id: String, in browser: WebDriver) throws {
        try browser.wait(
            until: "[...document.querySelector('\(list)').options].some((option) => option.value === '\(id)')"
        )
        try browser.run(
            "const list = document.querySelector('\(list)'); list.value = '\(id)'; list.dispatchEvent(new Event('change'))"
        )
    }

    private func type(_ text: String, in browser: WebDriver) throws {
        try browser.run(
            "document.querySelector('[name=value]').focus(); document.querySelector('[name=value]').select()")
        try browser.press(text)
    }

    @Test func `an edit goes to the layer that has the value, shows its difference and is reverted`() throws {
        let (_, browser) = try open()
        try show("http.port", in: browser)
        #expect(try browser.run("return document.querySelector('[name=layer]').value") as? String == "system")
        try type("9191", in: browser)
        try browser.wait(
            until:
                "document.querySelector('.edit .listing .removed')?.textContent.includes('8443') && document.querySelector('.edit .listing .added')?.textContent.includes('9191')"
        )
        try browser.run("document.querySelector('[name=revert]').click()")
        try browser.wait(until: "document.querySelector('[name=value]').value === '8443'")
        try type("9191", in: browser)
        try browser.wait(until: "!document.querySelector('[name=save]').disabled")
        try browser.press("\u{E007}")
        try browser.wait(until: "\(row("http.port")).innerText.includes('9191')")
        try browser.wait(
            until:
                "document.querySelector('.verdict.good')?.textContent === 'Saved.' && !document.querySelector('[name=revert]').disabled"
        )
        try browser.run("document.querySelector('[name=revert]').click()")
        try browser.wait(until: "\(row("http.port")).innerText.includes('8443')")
        #expect(try sandbox.layered("get", "http.port").output == "8443\n")
        browser.end()
    }

    @Test func `a variable that shadows an edit is named before it is saved`() throws {
        let page = try PageRun(
            sandbox, ["--schema", sandbox.schema, "--env", "MYD"], environment: ["MYD_HTTP_PORT": "8181"])
        let browser = try WebDriver(page, width: 1360, height: 860)
        try browser.visit(page.url)
        try browser.wait(until: "document.querySelector('.spacer .row')")
        try show("http.port", in: browser)
        try browser.wait(
            until:
                "document.querySelector('.verdict.warn')?.textContent === 'the variable MYD_HTTP_PORT shadows what is saved here'"
        )
        browser.end()
    }

    @Test func `an array of structs is edited as text with the checks of the tool`() throws {
        let upstreams = """
            "upstreams": {"type": "array", "items": {"type": "object", "additionalProperties": false,
              "required": ["host"], "properties": {"host": {"type": "string"}, "weight": {"type": "integer"}}}},
            "token":
            """
        try sandbox.write(Sandbox.schemaText.replacing("\"token\":", with: upstreams), to: sandbox.schema)
        _ = try sandbox.layered(
            "set", "upstreams", "--schema", sandbox.schema, #"[{"host": "a", "weight": 1}]"#)
        let (_, browser) = try open()
        try show("upstreams", in: browser)
        #expect(
            try browser.run("return document.querySelector('textarea[name=value]').value") as? String
                == "[\n  {\n    \"host\": \"a\",\n    \"weight\": 1\n  }\n]")
        try type(#"[{"host": "b", "weight": "heavy"}]"#, in: browser)
        try browser.wait(
            until:
                "document.querySelector('.verdict.bad')?.textContent.includes('[0].weight: expected an integer')"
        )
        try type(#"[{"host": "b", "wieght": 2}]"#, in: browser)
        try browser.wait(
            until: "document.querySelector('.verdict.bad')?.textContent.includes('did you mean “weight”')")
        try type(#"[{"host": "b"}]"#, in: browser)
        try browser.wait(until: "!document.querySelector('[name=save]').disabled")
        try browser.run("document.querySelector('[name=save]').click()")
        try browser.wait(until: "\(row("upstreams")).innerText.includes('\"b\"')")
        #expect(try sandbox.layered("get", "upstreams").output == "[{\"host\": \"b\"}]\n")
        browser.end()
    }

    @Test func `spellings of one value do not differ, and strings have no quotes`() throws {
        let timeout =
            "\"timeout\": {\"type\": [\"string\", \"integer\"], \"x-prefs\": {\"type\": \"duration\"}},\n\"token\":"
        try sandbox.write(Sandbox.schemaText.replacing("\"token\":", with: timeout), to: sandbox.schema)
        _ = try sandbox.layered("set", "timeout", "--schema", sandbox.schema, "1500ms")
        try overrides.setValue("1.5s", forKey: "timeout")
        let inspection = try storage.serveInspection(
            domain: Self.domain,
            keys: [PrefsKeyDescription(PersistentKey("timeout", defaultValue: Duration.zero))],
            in: "\(sockets.root)/prefs")
        defer { inspection.close() }
        let (_, browser) = try open()
        try choose(
            "#compare", "pid:\(ProcessInfo.processInfo.processIdentifier):\(Self.domain)", in: browser)
        try browser.wait(until: "\(row("http.port")).querySelector('.badge.differs')")
        #expect(try browser.run("return \(row("timeout")).querySelector('.badge.differs')") is NSNull)
        #expect(
            try browser.run("return \(row("level")).querySelector('.value').textContent") as? String
                == "info ≠ not set")
        try overrides.setValue("1.6s", forKey: "timeout")
        browser.end()
    }

    @Test func `a file that the process does not read is named, and what it has is not saved elsewhere`()
        throws
    {
        let inspection = try serve()
        defer { inspection.close() }
        let (_, browser) = try open()
        let pid = ProcessInfo.processInfo.processIdentifier
        try choose("#subject", "pid:\(pid):\(Self.domain)", in: browser)
        try browser.wait(until: "\(row("http.port"))?.innerText.includes('8080')")
        try show("http.port", in: browser)
        #expect(
            try browser.run("return document.querySelector('[name=layer]').value") as? String == "overrides")
        try choose("[name=layer]", "user", in: browser)
        try browser.wait(
            until:
                "document.querySelector('.verdict.warn')?.textContent === 'process \(pid) does not read \(sandbox.user)'"
        )
        browser.end()
    }

    @Test func `groups fold by keyboard and by pointer`() throws {
        let (_, browser) = try open()
        try browser.wait(until: "document.querySelector('[data-group=http]') && \(row("http.port"))")
        try browser.run("document.querySelector('#grid').focus()")
        try browser.press("\u{E011}")
        while try browser.run("return document.querySelector('[aria-selected=true]').dataset.group")
            as? String != "http"
        {
            try browser.press("\u{E015}")
        }
        try browser.press("\u{E012}")
        try browser.wait(
            until:
                "!\(row("http.port")) && document.querySelector('[data-group=http]').getAttribute('aria-expanded') === 'false'"
        )
        try browser.press("\u{E014}")
        try browser.wait(until: "\(row("http.port"))")
        try browser.press("\u{E007}")
        try browser.wait(until: "!\(row("http.port"))")
        try browser.run("document.querySelector('[data-group=http]').click()")
        try browser.wait(until: "\(row("http.port"))")
        browser.end()
    }

    @Test(arguments: [(1360, false), (1360, true), (420, false), (420, true)])
    func `a refused version is shown with its lines by keyboard alone`(width: Int, isDark: Bool) throws {
        let file = "\(sandbox.root)/site.toml"
        try sandbox.write("# The site\nlevel = \"info\"\nhttp.port = 8444\n", to: file)
        let (_, browser) = try open(width: width, isDark: isDark, ["--layer", "site=\(file)"])
        try sandbox.write("# The site\nlevel = \"debugg\"\nhttp.port = 70000\n", to: file)
        try browser.wait(
            until:
                "/refused since .*, 2 problems; a restart would use .*http.port = 8443/.test(document.querySelector('#refusals').innerText)"
        )
        #expect(try browser.run("return \(row("http.port")).innerText.includes('8444')") as? Bool == true)
        try show("http.port", in: browser)
        try browser.wait(
            until:
                "/refused since .*, 1 problem; a restart would use 8443/.test(document.querySelector('.notice.refused')?.innerText)"
        )
        try browser.press("\u{E00C}")
        try browser.run("document.querySelector('#refusals .lines').focus()")
        try browser.press("\u{E007}")
        try browser.wait(
            until:
                "[...document.querySelectorAll('#refusals .wrong')].map((line) => line.textContent).join() === '2level = \"debugg\",3http.port = 70000'"
        )
        let overflow = try browser.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        #expect(overflow as? Int ?? 0 <= 0)
        let scheme = try browser.run("return matchMedia('(prefers-color-scheme: dark)').matches")
        #expect(scheme as? Bool == isDark)
        browser.end()
    }
}
