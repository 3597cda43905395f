import FoundationEssentials
import LayeredPrefs
import LayeredPrefsReference
import LayeredPrefsTesting
import Testing

extension PersistentKey where Value == Int {
    fileprivate static var describedPort: Self {
        Self(
            "http.port", defaultValue: 8080, in: 1...65535, .formerly("listenPort"),
            .environmentName("PORT"), .documentation("The port to listen on."),
            .validate("a port that is not in use") { _ in nil })
    }
}

/// Keys that are declared without macros, listed by a program.
private final class TypedSettings: PrefsDeclaring {
    static let token = PersistentKey<String?>("token", .secret, .needsRestart)

    static let limits = PersistentKey("limits", defaultValue: ["cpu": 2], .merge(.deep))

    static let fruit = PersistentKey<Fruit?>(
        "fruit", coding: RawRepresentablePrefsCoding<Fruit>())

    static let keys = [
        PrefsKeyDescription(.describedPort),
        PrefsKeyDescription(token), PrefsKeyDescription(limits), PrefsKeyDescription(fruit),
    ]
}

@Suite struct KeyDescriptionTests {
    private let keys = TypedSettings.keys

    @Test func `the keys of a struct are described in their order, and nothing else`() {
        struct Keys {
            struct Log {
                let level = PersistentKey("log.level", defaultValue: "notice", .formerly("level"))
            }
            let port = PersistentKey("http.port", defaultValue: 8080, in: 1...65535)
            let others = (PersistentKey("a", defaultValue: 1), PersistentKey("b", defaultValue: true))
            let log = Log()
            let unit = "ms"
            let list = [PersistentKey("c", defaultValue: 1)]
        }
        let keys = PrefsKeyDescription.all(in: Keys())
        #expect(keys.map(\.name) == ["http.port", "a", "b", "log.level"])
        #expect(keys[0].limits.description == "1...65535" && keys[3].formerNames == ["level"])
        #expect(PrefsKeyDescription.all(in: Keys().port).map(\.name) == ["http.port"])
    }

    @Test func `a typed key provides the same description as a schema`() {
        let port = keys[0]
        #expect(port.name == "http.port")
        #expect(port.swiftType == "Int")
        #expect(port.storedType == .integer)
        #expect(port.defaultValue == 8080)
        #expect(port.documentation == "The port to listen on.")
        #expect(port.environmentName(prefix: "MYD_") == "PORT")
        #expect(port.formerNames == ["listenPort"])
        #expect(port.limits.description == "1...65535")
        #expect(port.validation == "the program also requires a port that is not in use")
        #expect(keys[1].isSecret && keys[1].needsRestart)
        #expect(keys[1].defaultValue == nil)
        #expect(keys[2].mergesDeeply)
        #expect(keys[3].limits.values == ["apple", "banana", "orange"])
    }

    @Test(
        arguments: [
            ([80, 8080], 70000), ([1], "80"), ([65535], 0), ([1], 80.0), ([1], true),
        ] as [([PrefsValue], PrefsValue)])
    func `a description rejects what its key rejects`(taken: [PrefsValue], rejected: PrefsValue) {
        for value in taken { #expect(keys[0].rejection(of: PrefsCandidate(value)) == nil) }
        #expect(keys[0].rejection(of: PrefsCandidate(rejected))?.key == "http.port")
    }

    @Test(
        arguments: [
            (PrefsKeyDescription(PersistentKey<URL?>("a", defaultValue: nil)), .string),
            (PrefsKeyDescription(PersistentKey<Data>("a", defaultValue: Data())), .data),
            (PrefsKeyDescription(PersistentKey<[Double]>("a", defaultValue: [])), .array(of: .real)),
            (PrefsKeyDescription(PersistentKey<[String: [Bool]]?>("a")), .dictionary(of: .array(of: .bool))),
            (PrefsKeyDescription(PersistentKey<UUID?>("a")), .string),
            (PrefsKeyDescription(PersistentKey<PrefsValue?>("a")), .any),
            (PrefsKeyDescription(PersistentKey<UInt8?>("a", coding: IntegerPrefsCoding<UInt8>())), .integer),
            (
                PrefsKeyDescription(
                    PersistentKey<Device?>("a", coding: JSONDataCodablePrefsCoding())),
                .data
            ),
            (PrefsKeyDescription(PersistentKey("a", defaultValue: false, .debugOnly)), .bool),
        ] as [(PrefsKeyDescription, PrefsStoredType)])
    func `the stored type is that of the coding`(key: PrefsKeyDescription, type: PrefsStoredType) {
        #expect(key.storedType == type)
    }

    @Test func `reference and schema and sample are generated from typed keys`() {
        #expect(TypedSettings.reference.contains("The port to listen on.\n\n- Type: integer"))
        #expect(TypedSettings.jsonSchema.contains("\"maximum\": 65535"))
        #expect(TypedSettings.samplePropertyList.contains("<integer>8080</integer>"))
    }
}
