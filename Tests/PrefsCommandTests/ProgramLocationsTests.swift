import Foundation
import LayeredPrefs
import LayeredPrefsReference
import Testing

@PrefsSchema private final class RelayPrefs {
    @Storage var storage = DictionaryPrefsStorage()
    /// The port to listen on.
    @Pref(key: "listen.port", in: 1...65535) var port: Int = 8080
    @Pref(key: "listen.host") var host: String = "localhost"
}

/// A program with its own locations, which its schema contains: `-d relay` suffices for every command.
@Suite struct ProgramLocationsTests {
    private let sandbox: Sandbox
    private let port = PersistentKey("listen.port", defaultValue: 8080)
    private let host = PersistentKey("listen.host", defaultValue: "localhost")
    private var etc: String { "\(sandbox.root)/etc/relay" }
    private var daemon: PrefsStack {
        .daemon("relay", root: sandbox.root, environment: [:], arguments: [])
    }

    init() throws {
        sandbox = try Sandbox()
        let schema = RelayPrefs.jsonSchema(
            environmentPrefix: "RELAY_", locations: .daemon("relay", root: sandbox.root))
        try sandbox.write(schema, to: "\(sandbox.root)/share/prefs/schemas/relay.schema.json")
        try sandbox.write(
            "# The vendor's\nlisten.port = 80\nlisten.host = \"::\"\n",
            to: "\(sandbox.root)/usr/lib/relay/relay.toml")
    }

    @Test func `values are read from the program's files and variables`() throws {
        #expect(try sandbox.prefs("get", "listen.port", "-d", "relay").output == "80\n")
        try sandbox.write("listen.port = 81\n", to: "\(sandbox.root)/run/relay/relay.toml.d/10-run.toml")
        #expect(try sandbox.prefs("get", "listen.port", "-d", "relay").output == "81\n")
        // A main file in a more important folder replaces the vendor's.
        try sandbox.write("listen.port = 82\n", to: "\(etc)/relay.toml")
        #expect(try sandbox.prefs("get", "listen.host", "-d", "relay").output == "localhost\n")
        let run = try sandbox.prefs(
            "get", "listen.port", "-d", "relay", environment: ["RELAY_LISTEN_PORT": "83"])
        #expect(run.output == "83\n", "\(run)")
        let explained = try sandbox.prefs("explain", "listen.port", "-d", "relay")
        #expect(explained.output.contains("environment: RELAY_LISTEN_PORT"), "\(explained)")
        #expect(!explained.output.contains("user"))
    }

    @Test func `writes go where the program's would`() throws {
        let local = "\(etc)/relay.toml.d/90-local.toml"
        let run = try sandbox.prefs("set", "listen.port", "90", "-d", "relay")
        #expect(run.status == 0 && run.errors == "", "\(run)")
        #expect(try sandbox.text(of: local).contains("90"))
        #expect(daemon.get(port) == 90)
        #expect(daemon.get(host) == "::")
        let edit = try sandbox.prefs(
            "edit", "-d", "relay", environment: ["EDITOR": "sed -i s/90/91/"])
        #expect(edit.status == 0, "\(edit)")
        #expect(daemon.get(port) == 91)
        #expect(try sandbox.prefs("unset", "listen.port", "-d", "relay").status == 0)
        #expect(daemon.get(port) == 80)
        try sandbox.write("# The administrator's\n", to: "\(etc)/relay.toml")
        #expect(try sandbox.prefs("set", "listen.port", "92", "-d", "relay").status == 0)
        #expect(try sandbox.text(of: "\(etc)/relay.toml").contains("92"))
    }

    @Test func `validation and the doctor accept what masks a vendor's file`() throws {
        try sandbox.write(
            "listen.port = \"many\"\n", to: "\(sandbox.root)/usr/lib/relay/relay.toml.d/10-broken.toml")
        try sandbox.write("{}", to: "\(sandbox.root)/usr/lib/relay/relay.toml.d/20.json")
        try sandbox.write("", to: "\(etc)/relay.toml.d/20.json")
        for name in ["relay.toml", "relay.toml.d/10-broken.toml"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(etc)/\(name)", withDestinationPath: "/dev/null")
        }
        let validated = try sandbox.prefs("validate", "-d", "relay")
        #expect(validated.status == 0 && validated.output == "", "\(validated)")
        let doctor = try sandbox.prefs("doctor", "-d", "relay")
        #expect(doctor.status == 0 && !doctor.output.contains("regular file"), "\(doctor)")
        #expect(doctor.output.contains("No problems found."), "\(doctor)")
    }

    @Test func `no new file hides a vendor's drop-in of its name`() throws {
        let vendor = "\(sandbox.root)/usr/lib/relay/relay.toml.d/90-local.toml"
        let local = "\(etc)/relay.toml.d/90-local.toml"
        try sandbox.write("listen.port = 81\n", to: vendor)
        try sandbox.write("listen.port = 82\n", to: "\(sandbox.root)/i.toml")
        for command in ["set listen.port 82", "edit", "import i.toml", "convert --of system --to json"] {
            let run = try sandbox.run(
                Sandbox.tool, command.split(separator: " ").map(String.init) + ["-d", "relay"],
                environment: ["EDITOR": "echo port = 1 >>"])
            #expect(run.status == 3, "\(command): \(run)")
            #expect(run.errors.contains("\(vendor): "), "\(run)")
            #expect(run.errors.contains("a new file \(local) would hide this file"), "\(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: local))
        try sandbox.write("listen.port = 81\n", to: local)
        #expect(try sandbox.prefs("set", "listen.port", "82", "-d", "relay").status == 0)
    }

    @Test func `the doctor names a drop-in that hides what is written`() throws {
        _ = try sandbox.prefs("set", "listen.port", "81", "-d", "relay")
        let site = "\(sandbox.root)/run/relay/relay.toml.d/99-local.toml"
        try sandbox.write("listen.host = \"::1\"\n", to: site)
        #expect(try sandbox.prefs("doctor", "-d", "relay").status == 0)
        try sandbox.write("listen.port = 99\n", to: site)
        let run = try sandbox.prefs("doctor", "-d", "relay")
        #expect(run.status == 1, "\(run)")
        #expect(run.output.contains("\(site):1:8: listen.port: hides the value in system \(etc)"), "\(run)")
        try sandbox.write("listen.port = \"x\"\n", to: site)
        let rejected = try sandbox.prefs("doctor", "-d", "relay")
        #expect(rejected.status == 1 && !rejected.output.contains("hides the value"), "\(rejected)")
    }

    @Test func `locks stand under the main file's name and bind what lies above`() throws {
        try sandbox.write("", to: "\(sandbox.root)/etc/machine-id")
        let run = try sandbox.prefs("lock", "listen.port", "-d", "relay")
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.text(of: "\(etc)/relay.locks") == "listen.port\n")
        let variable = ["RELAY_LISTEN_PORT": "83"]
        #expect(
            try sandbox.prefs("get", "listen.port", "-d", "relay", environment: variable).output == "80\n")
        #expect(try sandbox.prefs("locks", "-d", "relay").output.contains("listen.port"))
        // The lock does not bind the values in these files themselves.
        #expect(try sandbox.prefs("set", "listen.port", "84", "-d", "relay").status == 0)
        #expect(try sandbox.prefs("unlock", "listen.port", "-d", "relay").status == 0)
        #expect(
            try sandbox.prefs("get", "listen.port", "-d", "relay", environment: variable).output == "83\n")
    }

    @Test func `suppositions, validation and the doctor know the files`() throws {
        try sandbox.write("listen.port = 99\n", to: "\(sandbox.root)/new.toml")
        let diff = try sandbox.prefs("diff", "--if", "drop-in=\(sandbox.root)/new.toml", "-d", "relay")
        #expect(diff.output.contains("listen.port: 80 → 99"), "\(diff)")
        let doctor = try sandbox.prefs("doctor", "-d", "relay")
        #expect(doctor.status == 0 && doctor.output.contains("/usr/lib/relay/relay.toml"), "\(doctor)")
        try sandbox.write("listen.port = \"many\"\n", to: "\(etc)/relay.toml.d/50-site.toml")
        let validate = try sandbox.prefs("validate", "-d", "relay")
        #expect(validate.status == 1 && validate.output.contains("50-site.toml:1:"), "\(validate)")
    }

    @Test func `a user's file is stated relative to the user's folder`() throws {
        let locations = PrefsFileLocations.standard(domain: "com.example.relay")
        let schema = RelayPrefs.jsonSchema(environmentPrefix: "RELAY_", locations: locations)
        #expect(schema.contains("\"user\": \"com.example.relay.plist\""), "\(schema)")
        try sandbox.write(schema, to: "\(sandbox.root)/share/prefs/schemas/com.example.relay.schema.json")
        #expect(try sandbox.prefs("set", "listen.port", "85", "-d", "com.example.relay").status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(sandbox.root)/.config/com.example.relay.plist"))
    }

    @Test func `a schema with a relative system file is rejected`() throws {
        let text = #"{"type": "object", "properties": {}, "x-prefs": {"system": [{"file": "etc/x.toml"}]}}"#
        let schema = "\(sandbox.root)/share/prefs/schemas/odd.schema.json"
        try sandbox.write(text, to: schema)
        let run = try sandbox.prefs("get", "a", "-d", "odd")
        #expect(run.errors.hasPrefix("prefs: \(schema):1:"), "\(run)")
        #expect(run.errors.contains("expected a system file with an absolute path"))
    }
}
