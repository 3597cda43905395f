import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefsInspection

/// Requests that change something.
@Suite struct InspectionAnswersTests {
    private let fixture: InspectionFixture

    init() throws { fixture = try InspectionFixture() }

    @Test(arguments: [InspectionRequest.Kind.reload, .set, .unset])
    func `nothing is changed without permission`(kind: InspectionRequest.Kind) throws {
        let answers = fixture.answers()
        try fixture.storage.setValue(9090, forKey: "http.port", in: .overrides)
        let reply = answers.reply(to: InspectionRequest(kind, key: "http.port", value: "1"))
        #expect(reply.error?.contains("does not permit") == true)
        #expect(fixture.storage.get(fixture.port) == 9090)
    }

    @Test func `a permitted override is set and removed`() throws {
        let answers = fixture.answers(permitting: .overrides)
        let set = answers.reply(to: InspectionRequest(.set, key: "http.port", value: "9090"))
        #expect(set.outcome?.isEffective == true, "\(set)")
        #expect(fixture.storage.get(fixture.port) == 9090)
        let unset = answers.reply(to: InspectionRequest(.unset, key: "http.port"))
        #expect(unset.outcome?.isEffective == true, "\(unset)")
        #expect(fixture.storage.get(fixture.port) == 8080)
        #expect(answers.reply(to: InspectionRequest(.reload)).error != nil)
    }

    @Test(arguments: [
        ("http.port", "many", "expected a value of type integer"), ("http.port", "0", "1...65535"),
        ("other", "1", "does not declare"), ("", "1", "expected a key"),
    ])
    func `a wrong override is rejected`(key: String, value: String, reason: String) throws {
        let answers = fixture.answers(permitting: .overrides)
        let reply = answers.reply(to: InspectionRequest(.set, key: key, value: value))
        #expect(reply.error?.contains(reason) == true, "\(reply)")
        #expect(fixture.storage.layer(.overrides)?.storage.snapshot.keys.isEmpty == true)
    }

    @Test func `a locked key is rejected`() throws {
        let answers = fixture.answers(permitting: .overrides)
        fixture.storage.lock("http", at: "user")
        let reply = answers.reply(to: InspectionRequest(.set, key: "http.port", value: "9090"))
        #expect(reply.error?.contains("the lock on “http”") == true)
        #expect(fixture.storage.get(fixture.port) == 8080)
    }

    @Test func `a wrong secret is not repeated`() throws {
        let answers = fixture.answers(permitting: .overrides)
        fixture.storage.lock("auth", at: "user")
        let reply = answers.reply(to: InspectionRequest(.set, key: "auth.token", value: "hunter2"))
        #expect(reply.error?.contains("hunter2") == false)
    }

    @Test func `the default of a secret that was read is hidden, however the key was written`() throws {
        let answers = fixture.answers()
        #expect(
            answers.reply(to: InspectionRequest(.reads)).error?.contains("does not record its reads") == true)
        fixture.storage.trackReads()
        _ = fixture.storage.get(PersistentKey("auth.token", defaultValue: "hunter2"))
        _ = fixture.storage.get(fixture.port)
        let keys = try #require(answers.reply(to: InspectionRequest(.reads)).reads).keys
        #expect(keys.map(\.key) == ["auth.token", "http.port"])
        #expect(keys.map(\.defaultValue) == [nil, "8080"])
    }

    @Test func `values whose keys suggest a secret are hidden if these are the secrets`() async throws {
        try fixture.write(#"{"db_password": "hunter2", "upstreams": [{"key": "hunter2"}], "user": "ada"}"#)
        fixture.storage.reload()
        let answers = InspectionAnswers(
            storage: fixture.storage, domain: "com.example.myd", keys: [], secrets: .suspected)
        try fixture.storage.setValue([["key": "hunter3"]], forKey: "upstreams", in: .overrides)
        try fixture.storage.setValue("hunter3", forKey: "db_password", in: .overrides)
        try fixture.storage.setValue("bob", forKey: "user", in: .overrides)
        await fixture.storage.settled()
        let replies = [.list, .history, .drift].map { answers.reply(to: InspectionRequest($0)) }
        for reply in replies { #expect("\(reply)".contains("bob")) }
        let explanations = ["db_password", "db_password.x", "upstreams"].map {
            answers.reply(to: InspectionRequest(.explain, key: $0))
        }
        for reply in replies + explanations {
            #expect(!"\(reply)".contains("hunter"), "\(reply)")
        }
    }

    @Test func `a permitted reload reads the files`() throws {
        let answers = fixture.answers(permitting: .reload)
        try fixture.write(#"{"http": {"port": 9090}}"#)
        let reply = answers.reply(to: InspectionRequest(.reload))
        #expect(reply.outcome?.generation == fixture.storage.snapshot.generation)
        #expect(fixture.storage.get(fixture.port) == 9090)
    }

    @Test func `an explanation contains the declaration`() throws {
        let reply = fixture.answers().reply(to: InspectionRequest(.explain, key: "http.port"))
        let declaration = try #require(reply.explanation?.declaration)
        #expect(declaration.type == "integer")
        #expect(declaration.limits == "1...65535")
        #expect(declaration.environment == ["MYD_HTTP_PORT"])
    }
}
