import PrefsDocuments
import PrefsFiles
import TestSupport
import Testing

@testable import LayeredPrefs

/// The copies of accepted files for the next start of a program.
@Suite struct AcceptedFileTests {
    private static let token = PrefsKeyName("http.token", isSecret: true)

    /// Returns a search for the secrets of a program that has declared some keys.
    private func search(_ keys: [PrefsKeyName]) -> SecretSearch {
        var known = KnownKeys()
        for key in keys { _ = known.insert(key, prefixes: []) }
        return SecretSearch(secrets: known.secrets, known: known)
    }

    private func source(_ bytes: [UInt8], _ file: String) throws -> PrefsSource {
        PrefsSource(.node(try PrefsDocument(parsing: bytes, path: file).root), file: file)
    }

    private func copy(_ text: String, _ file: String, _ keys: [PrefsKeyName]) throws -> AcceptedFile {
        try AcceptedFile(of: source(Array(text.utf8), file), at: 0, without: search(keys))
    }

    /// A file with the secret `http.token`, and its saved copy.
    struct Example: CustomTestStringConvertible {
        let file: String
        let text: String
        let saved: String

        var testDescription: String { "\(file): \(text.prefix(40))" }

        init(_ file: String, _ text: String, _ saved: String) {
            (self.file, self.text, self.saved) = (file, text, saved)
        }
    }

    static let examples: [Example] = [
        Example(
            "a.toml", "# The proxy\nlimit = 1 # of all\n\n[http]\ntoken = \"s3cret\"\nport = 80\n",
            "# The proxy\nlimit = 1 # of all\n\n[http]\nport = 80\n"),
        Example("a.toml", "http.token = \"s3cret\"\nother = 1\n", "other = 1\n\n[http]\n"),
        Example("a.toml", "[http]\ntoken = \"s3cret\"\n", "[http]\n"),
        Example("a.toml", "\"http.token\" = \"s3cret\"\nother = 1\n", "other = 1\n\n[http]\n"),
        Example("a.json", #"{"other": 1, "http": {"token": "s3cret"}}"#, #"{"other": 1, "http": {}}"#),
        Example(
            "a.plist",
            "<plist><dict><!-- a --><key>http</key><dict><key>token</key><array/></dict></dict></plist>",
            "<plist><dict><!-- a --><key>http</key><dict></dict></dict></plist>"),
        Example("a.toml", "nothing = \"secret\"\n", "nothing = \"secret\"\n"),
    ]

    @Test(arguments: examples)
    func `everything but the secrets is saved, byte for byte`(example: Example) throws {
        let copy = try copy(example.text, example.file, [Self.token])
        let saved = try String(validating: #require(copy.bytes).bytes, as: UTF8.self)
        #expect(saved == example.saved)
        #expect(copy.removed == (example.text == example.saved ? [] : ["http.token"]))
    }

    @Test func `what is read again is what was saved, in every format`() throws {
        var names = ["a.toml", "b.json", "c.plist", "d.plist"]
        let content: [String: PrefsValue] = ["http": ["token": "s3cret", "port": 80], "list": [1, "two"]]
        var formats: [PrefsFileFormat] = [.toml, .json, .xmlPropertyList, .binaryPropertyList]
        #if YAML
            names.append("e.yaml")
            formats.append(.yaml)
        #endif
        let everything = search([Self.token, "list", "http.port"])
        for (name, format) in zip(names, formats) {
            let bytes = try format.serialize(content)
            let whole = try AcceptedFile(of: source(bytes, name), at: 3, without: nil)
            #expect(whole.bytes?.bytes == bytes && whole.removed.isEmpty)
            let copy = try AcceptedFile(of: source(bytes, name), at: 3, without: everything)
            #expect(copy.removed == ["http.token"])
            for file in [whole, copy] {
                let saved = try again(file)
                #expect(saved == file)
                let read = try saved.source(FilePrefsStorage.Options(), takingSecretsOf: nil)
                #expect(read.spelled.node?.document.bytes == file.bytes?.bytes && read.file == name)
                #expect(read.tree.acceptableValue(at: PrefsPath("http.port")) == 80)
                #expect((read.tree.value(at: PrefsPath("http.token")) == nil) == (file == copy))
            }
        }
    }

    @Test func `an absent file, a mask and an empty file are saved as what they are`() throws {
        let absent = try AcceptedFile(
            of: PrefsSource(file: "/etc/a.toml", isAbsent: true), at: 0, without: search([]))
        let mask = try AcceptedFile(
            of: PrefsSource(.node(PrefsDocument.empty.root), file: "/etc/a.json"), at: 1, without: search([]))
        #expect(absent.bytes == nil && mask.bytes?.bytes == [])
        for file in [absent, mask] {
            #expect(try again(file) == file)
            let read = try file.source(FilePrefsStorage.Options(), takingSecretsOf: nil)
            #expect(read.isAbsent == (file == absent) && read.tree.leaves.isEmpty)
        }
    }

    @Test func `a file without secrets is in memory once`() throws {
        let source = try source(Array("limit = 1\nhttp.port = 80\n".utf8), "a.toml")
        let copy = try AcceptedFile(of: source, at: 0, without: search([Self.token]))
        let bytes = try #require(source.spelled.node?.document.bytes)
        let saved = try #require(copy.bytes).bytes
        let address = unsafe bytes.withUnsafeBufferPointer { $0.baseAddress }
        let other = unsafe saved.withUnsafeBufferPointer { $0.baseAddress }
        #expect(unsafe address != nil && address == other)
    }

    @Test func `the secrets that were not saved are those of the present file`() throws {
        let copy = try copy("[http]\ntoken = \"s3cret\"\nport = 80\n", "a.toml", [Self.token])
        let present = try source(Array("http.port = 0\n\"http.token\" = \"newer\"\n".utf8), "a.toml")
        let read = try copy.source(FilePrefsStorage.Options(), takingSecretsOf: present)
        #expect(read.tree.acceptableValue(at: PrefsPath("http.token")) == "newer")
        #expect(read.tree.acceptableValue(at: PrefsPath("http.port")) == 80)
        #expect(read.mended == nil)
        // A copy of the copy still lacks the secrets, and lists them as missing.
        var again = try AcceptedFile(of: read, at: 0, without: search([Self.token]))
        #expect(again.bytes == copy.bytes && again.removed.isEmpty)
        again.lackSecrets(of: [copy])
        #expect(again == copy)
    }

    @Test func `an array with a secret is removed as a whole, and so is what a name suggests`() throws {
        let text = "[[users]]\nname = \"a\"\n[tls]\nkey_password = \"x\"\n[limits]\ntoken_rate = 1\n"
        let users = PrefsKeyName("users", isSecret: true)
        let copy = try copy(text, "a.toml", [users, "limits.token_rate"])
        #expect(copy.removed == ["users", "tls.key_password"])
        #expect(
            try String(validating: #require(copy.bytes).bytes, as: UTF8.self)
                == "[tls]\n[limits]\ntoken_rate = 1\n")
    }

    static let hidden: [(file: String, text: String)] = {
        var hidden = [
            ("a.toml", "# was s3cret-7000\nhttp.token = \"s3cret-7000\"\n"),
            ("a.json", #"{"http": {"token": "hidden"}, "http": {"token": "s3cret"}}"#),
            ("a.json", #"{"http": {"token": "hidden"}, "http": {}}"#),
        ]
        #if YAML
            hidden += [
                ("a.yaml", "http:\n  token: &a s3cret\nother: *a\n"),
                ("a.yaml", "other: &a s3cret-7000\nhttp:\n  token: *a\n"),
                ("a.yaml", "other: &a {token: s3cret}\nhttp:\n  <<: *a\n"),
            ]
        #endif
        return hidden
    }()

    @Test(arguments: hidden)
    func `a file in which a secret would stay is not saved`(file: String, text: String) throws {
        let error = #expect(throws: PrefsError.self) { try copy(text, file, [Self.token, "other"]) }
        #expect(error?.origin?.file == file)
        let words =
            "not saved for the next start, because secrets cannot be removed from a copy of the file: "
        #expect(error?.reason.hasPrefix(words) == true, "\(error?.reason ?? "")")
    }

    @Test(
        arguments: [
            ["height": -1], ["height": "1"], ["path": 1], ["bytes": "text"], ["removed": [1]],
            ["removed": "x"],
        ] as [PrefsValue])
    func `a damaged file is not read`(damage: PrefsValue) throws {
        let file = try copy("[http]\ntoken = \"s3cret\"\nport = 80\n", "a.toml", [Self.token])
        var stored = try #require(try PrefsValueEncoder().encode(file)?.dictionary)
        #expect(try PrefsValueDecoder().decode(AcceptedFile.self, from: .dictionary(stored)) == file)
        stored.merge(damage.dictionary ?? [:]) { $1 }
        #expect(throws: (any Error).self) {
            try PrefsValueDecoder().decode(AcceptedFile.self, from: .dictionary(stored))
        }
    }

    @Test func `files of the earlier form are damaged, and so are other times`() throws {
        let folder = try TemporaryFolder()
        func saved(_ content: [String: PrefsValue], at time: Int64 = 7) throws -> AcceptedFiles? {
            let file = PrefsCacheFile(
                path: folder["last-accepted"], signature: "LayeredPrefs accepted files 4", limit: 1 << 20,
                name: "it")
            try file.write((try PrefsFileFormat.binaryPropertyList.serialize(content), time))
            return try AcceptedFiles(savedIn: folder.path)
        }
        #expect(try saved([:])?.layers.isEmpty == true)
        #expect(throws: PrefsError.self) { try saved(["system": ["time": 7, "files": []]]) }
        #expect(throws: PrefsError.self) { try saved([:], at: .max) }
        #expect(throws: PrefsError.self) { try saved([:], at: -1) }
    }

    private func again(_ file: AcceptedFile) throws -> AcceptedFile {
        let stored = try #require(try PrefsValueEncoder().encode(file))
        return try PrefsValueDecoder().decode(AcceptedFile.self, from: stored)
    }
}
