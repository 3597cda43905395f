import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// Drives the page of `prefs ui` in a browser; started by `Scripts/test-browser`.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["PREFS_BROWSER"] == "1"))
struct BrowserTests {
    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let overrides = DictionaryPrefsStorage()
    private let storage: LayeredPrefsStorage

    init() throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        try sandbox.write(
            Sandbox.plist(
                "<key>http</key><dict><key>port</key><integer>8443</integer><key>host</key><string>0.0.0.0</string></dict><key>level</key><string>info</string>"
            ), to: sandbox.system)
        try sandbox.write("http.host\n", to: "\(sandbox.root)/system.locks")
        try sandbox.write(
            Sandbox.plist(
                "<key>ratio</key><real>2.5</real><key>token</key><string>hunter2</string><key>limits</key><dict><key>cpu</key><integer>4</integer></dict><key>greeting</key><string>&lt;b onclick=\"x()\"&gt;hi&lt;/b&gt;</string>"
            ), to: sandbox.user)
        storage = LayeredPrefsStorage(diagnostics: PrefsDiagnostics { _ in }) { [overrides] in
            PrefsLayer(.overrides, overrides)
        }
    }

    private func serve() throws -> PrefsInspection {
        try storage.serveInspection(
            domain: "com.example.page",
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
            until: "document.querySelector('.layers .effective')?.innerText.includes('user.plist:')")
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
                "!document.querySelector('[name=save]').disabled && document.querySelector('.edit code').textContent.endsWith('--to user http.port 9191')"
        )
        try browser.press("\u{E007}")
        try browser.wait(until: "\(row("http.port")).innerText.includes('9191')")
        #expect(try sandbox.layered("get", "http.port").output == "9191\n")
        browser.end()
    }

    @Test func `a locked key names the lock`() throws {
        let (_, browser) = try open()
        try show("http.host", in: browser)
        try browser.wait(
            until: "document.querySelector('.verdict.bad')?.textContent.includes('system.locks')")
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
                == #""<b onclick=\"x()\">hi</b>""#)
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
        let id = "pid:\(ProcessInfo.processInfo.processIdentifier):com.example.page"
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
        let entries = (0..<10_000).map { "<key>key\($0)</key><integer>\($0)</integer>" }.joined()
        try sandbox.write(Sandbox.plist(entries), to: sandbox.user)
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
        try keep(try browser.picture(), as: name)
        let scheme = try browser.run("return matchMedia('(prefers-color-scheme: dark)').matches")
        #expect(scheme as? Bool == isDark)
        let overflow = try browser.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        #expect(overflow as? Int ?? 0 <= 0)
        browser.end()
    }
}
