import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

extension BrowserTests {
    /// The name that the page uses for this process.
    private static let process = "pid:\(ProcessInfo.processInfo.processIdentifier):\(domain)"
    private static let saysThatTheProcessHasEnded =
        "!document.querySelector('#banner').hidden && document.querySelector('#banner').textContent === 'The process has ended. The values are its last ones.'"

    @Test func `a process is compared, changed and ends`() throws {
        let inspection = try serve()
        let (_, browser) = try open()
        try choose("#compare", Self.process, in: browser)
        try browser.wait(
            until:
                "\(row("http.port")).querySelector('.badge.differs') && \(row("http.port")).innerText.includes('≠ 8080')"
        )
        #expect(try browser.run("return \(row("level")).querySelector('.badge.differs')") is NSNull)
        try choose("#subject", Self.process, in: browser)
        try browser.wait(until: "\(row("http.port"))?.innerText.includes('8080')")
        try overrides.setValue(7070, forKey: "http.port")
        try browser.wait(until: "\(row("http.port"))?.innerText.includes('7070')")
        inspection.close()
        try browser.wait(until: Self.saysThatTheProcessHasEnded)
        // Its last values stay visible.
        #expect(
            try browser.run("return \(row("http.port")).innerText.includes('7070')") as? Bool == true)
        browser.end()
    }

    @Test func `an answer that fails after the process has ended is not the reason`() throws {
        let inspection = try serve()
        let (_, browser) = try open()
        try browser.run(
            """
            const send = window.fetch;
            window.held = [];
            window.fetch = (path, options) => path.startsWith("/api/rejected")
              ? new Promise((_, reject) => window.held.push(() => reject(new Error("Broken pipe")))) : send(path, options);
            """)
        try choose("#subject", Self.process, in: browser)
        try browser.wait(until: "\(row("http.port"))?.innerText.includes('8080') && window.held.length > 0")
        inspection.close()
        try browser.wait(until: Self.saysThatTheProcessHasEnded)
        try browser.run("for (const fail of window.held) fail()")
        #expect(try browser.run("return \(Self.saysThatTheProcessHasEnded)") as? Bool == true)
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
        try choose("#compare", Self.process, in: browser)
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
        try choose("#subject", Self.process, in: browser)
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
}
