import LayeredPrefs
import LayeredPrefsInspection
import Testing

@testable import LayeredPrefsCommands

/// A program that declares its keys without macros and embeds the commands.
private enum Configuration: PrefsCommandSource {
    static let domain: String? = "com.example.myd"

    static var keys: [PrefsKeyDescription] {
        let port = PersistentKey(
            "http.port", defaultValue: 8080, in: 1...65535, .formerly("listenPort"))
        let token = PersistentKey<String?>("token", .secret)
        return [PrefsKeyDescription(port), PrefsKeyDescription(token)]
    }
}

@Suite struct TypedKeyTests {
    private let declared = DeclaredKeys(Configuration.keys.map(\.onStoredForms))

    @Test func `the commands know typed keys`() throws {
        let port = try #require(declared["http.port"])
        #expect(port.storedType == .integer)
        #expect(port.limits.description == "1...65535")
        #expect(declared.renamed("listenPort")?.name == "http.port")
        #expect(declared.nearest(to: "http.prot") == "http.port")
        #expect(declared["token"]?.isSecret == true)
    }

    @Test func `text is parsed by the type of the key and checked by the program`() throws {
        let port = try #require(declared["http.port"])
        #expect(port.storedForm(ofText: "81") == 81)
        #expect(port.storedForm(ofText: "many") == nil)
        #expect(port.complaint(about: 81) == nil)
        #expect(port.complaint(about: 70000) == "expected 1...65535")
    }
}
