import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// Drives the page of `prefs ui` in a browser. `Scripts/test --browser` starts these tests.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["PREFS_BROWSER"] == "1"))
struct BrowserTests {
    static let domain = "com.example.edit"
    let sandbox: Sandbox
    let sockets: PrefsSandbox
    let overrides = DictionaryPrefsStorage()
    let storage: PrefsStack

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
        storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { [overrides] in
            PrefsLayer(.overrides, overrides)
        }
    }

    func serve() throws -> PrefsInspection {
        try storage.serveInspection(
            domain: Self.domain,
            keys: [
                PrefsKeyDescription(PersistentKey("http.port", defaultValue: 8080, in: 1...65535)),
                PrefsKeyDescription(PersistentKey("level", defaultValue: "info")),
            ], in: "\(sockets.root)/prefs", permitting: .overrides)
    }

    func open(
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

    func row(_ key: String) -> String { "document.querySelector('[data-key=\"\(key)\"]')" }

    func choose(_ list: String, _ id: String, in browser: WebDriver) throws {
        try browser.wait(
            until: "[...document.querySelector('\(list)').options].some((option) => option.value === '\(id)')"
        )
        try browser.run(
            "const list = document.querySelector('\(list)'); list.value = '\(id)'; list.dispatchEvent(new Event('change'))"
        )
    }

    func show(_ key: String, in browser: WebDriver) throws {
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
        // Show the sandbox as the root of a machine.
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
    func `a rejected version is shown with its lines by keyboard alone`(width: Int, isDark: Bool) throws {
        let file = "\(sandbox.root)/site.toml"
        try sandbox.write("# The site\nlevel = \"info\"\nhttp.port = 8444\n", to: file)
        let (_, browser) = try open(width: width, isDark: isDark, ["--layer", "site=\(file)"])
        try sandbox.write("# The site\nlevel = \"debugg\"\nhttp.port = 70000\n", to: file)
        try browser.wait(
            until:
                "/site.toml: rejected since .*, 2 problems[^]*A restart would use .*http.port = 8443/.test(document.querySelector('#rejections').innerText)"
        )
        #expect(try browser.run("return \(row("http.port")).innerText.includes('8444')") as? Bool == true)
        try show("http.port", in: browser)
        try browser.wait(
            until:
                "/rejected since .*, 1 problem; a restart would use 8443/.test(document.querySelector('.notice.rejected')?.innerText)"
        )
        try browser.press("\u{E00C}")
        // The user's file comes first; it has been wrong since the start.
        try browser.run("document.querySelector('#rejections .rejection:nth-child(2) .lines').focus()")
        try browser.press("\u{E007}")
        try browser.wait(
            until:
                "[...document.querySelectorAll('#rejections .problems:not([hidden]) .wrong')].map((line) => line.textContent).join() === '2level = \"debugg\",3http.port = 70000'"
        )
        let overflow = try browser.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        #expect(overflow as? Int ?? 0 <= 0)
        let scheme = try browser.run("return matchMedia('(prefers-color-scheme: dark)').matches")
        #expect(scheme as? Bool == isDark)
        browser.end()
    }
}
