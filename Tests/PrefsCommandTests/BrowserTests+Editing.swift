import Testing

extension BrowserTests {
    private func type(_ text: String, in browser: WebDriver) throws {
        try browser.run(
            "document.querySelector('[name=value]').focus(); document.querySelector('[name=value]').select()")
        try browser.press(text)
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
}
