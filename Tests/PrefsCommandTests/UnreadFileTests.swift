import Foundation
import Testing

/// Files that look as if a program read them, but that no program reads.
@Suite struct UnreadFileTests {
    private let sandbox: Sandbox
    private let domain = "com.example.adm"

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("port = 1\n", to: "\(sandbox.root)/xdg/com.example.adm.toml")
    }

    /// Files, each with the doctor's message about it.
    static let files = [
        ("xdg/com.example.adm.toml.d/60.conf", "a drop-in ends in one of .plist, .json, .toml, .yaml, .yml"),
        ("xdg/com.example.Adm.toml", "the name would have to be com.example.adm.toml"),
        ("xdg/com.example.adm.d/60.toml", "a folder of drop-ins is named com.example.adm.plist.d or "),
        ("xdg/com.example.adm.conf.d/60.toml", "a folder of drop-ins is named com.example.adm.plist.d or "),
        ("xdg/com.example.adm.conf", "its name ends in none of .plist, .json, .toml, .yaml, .yml"),
        ("xdg/com.example.adm.lock", "a locks file ends in .locks"),
        ("com.example.adm.toml", "the file would have to be in "),
        (".config/com.example.ADM.plist", "the name would have to be com.example.adm.plist"),
    ]

    @Test(arguments: files)
    func `the doctor and validate name a file that nothing reads`(file: String, reason: String) throws {
        try sandbox.write("port = 2\n", to: "\(sandbox.root)/\(file)")
        let named =
            file.contains(".d/") && !file.hasSuffix("60.conf")
            ? String(file.prefix { $0 != "6" }.dropLast()) : file
        let doctor = try sandbox.prefs("doctor", "-d", domain)
        let line = "\(sandbox.root)/\(named): nothing reads this file: \(reason)"
        #expect(doctor.status == 1 && doctor.output.contains(line), "\(doctor)")
        let validate = try sandbox.prefs("validate", "-d", domain)
        #expect(validate.status == 0, "\(validate)")
        #expect(
            validate.output.contains("\(sandbox.root)/\(named): warning: nothing reads this file: \(reason)"),
            "\(validate)")
    }

    @Test(arguments: [
        "xdg/com.example.adm.toml.d/60.toml", "xdg/com.example.adm.toml.d/60.toml.dpkg-old",
        "xdg/com.example.adm.toml.d/README", "xdg/com.example.adm.toml.d/60.toml~",
        "xdg/com.example.adm.toml.bak",
        "xdg/com.example.adm.toml.bak.1", "xdg/com.example.admin.toml", "xdg/com.example.adm.locks",
        "xdg/com.example.adm.pem",
    ])
    func `other files are not named`(file: String) throws {
        try sandbox.write(file.hasSuffix(".toml") ? "port = 2\n" : "", to: "\(sandbox.root)/\(file)")
        let doctor = try sandbox.prefs("doctor", "-d", domain)
        #expect(!doctor.output.contains("nothing reads"), "\(doctor)")
        let validate = try sandbox.prefs("validate", "-d", domain)
        #expect(validate.output == "" && validate.status == 0, "\(validate)")
    }

    @Test func `the user's file is not named if a system folder is below its folder`() throws {
        try sandbox.write("port = 3\n", to: "\(sandbox.root)/.config/\(domain).toml")
        let run = try sandbox.prefs(
            "doctor", "-d", domain, environment: ["XDG_CONFIG_DIRS": "\(sandbox.root)/.config/desktop"])
        #expect(run.status == 0 && !run.output.contains("nothing reads"), "\(run)")
    }

    @Test func `files beside those of the command line are named`() throws {
        try sandbox.write("", to: "\(sandbox.root)/system.plist.d/60.conf")
        let run = try sandbox.layered("doctor")
        #expect(run.output.contains("system.plist.d/60.conf: nothing reads this file"), "\(run)")
    }
}
