import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// Messages that describe the actual case, and not the usual one.
@Suite struct TrueMessageTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `a group of keys is not called an unknown key`() throws {
        let run = try sandbox.layered("set", "http", "5", "--type", "int", "--schema", sandbox.schema)
        #expect(run.status == 1, "\(run)")
        #expect(
            run.errors
                == "prefs: http: a group of keys, which has no value of its own; set one of them, such as http.port\n"
        )
    }

    @Test(.enabled(if: geteuid() == 0, "only root can ask as another user"))
    func `another user's process is not said to serve no inspection`() throws {
        let sockets = try PrefsSandbox()
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { PrefsLayer.overrides }
        let inspection = try storage.serveInspection(
            domain: "com.example.others", keys: [], in: "\(sockets.root)/prefs")
        defer { inspection.close() }
        let pid = ProcessInfo.processInfo.processIdentifier
        func asOther(_ arguments: [String]) throws -> Run {
            try sandbox.run(
                "/usr/bin/setpriv", ["--reuid=65534", "--clear-groups", Sandbox.tool] + arguments,
                environment: ["XDG_RUNTIME_DIR": sockets.root])
        }
        let named = try asOther(["get", "a", "--pid", "\(pid)"])
        #expect(named.status == 3, "\(named)")
        #expect(
            named.errors
                == "prefs: process \(pid) belongs to another user, and only that user and root may ask it\n")
        let words = "serves inspection, or it is another user's, which only that user and root may ask\n"
        for command in [["ps", "-d", "com.example.others"], ["drift", "-d", "com.example.others"]] {
            let run = try asOther(command)
            #expect(run.errors.hasSuffix("of com.example.others \(words)"), "\(run)")
        }
        let nobody = try sandbox.prefs("get", "a", "--pid", "\(pid)")
        #expect(
            nobody.status == 1 && nobody.errors.contains("process \(pid) serves no inspection"), "\(nobody)")
    }

    @Test func `a command without files names an option, and no call of the library`() throws {
        let run = try sandbox.prefs("set", "a", "1", "--env", "MYD_")
        let words = "no layer has a file that can be written; add one, such as --layer user=PATH"
        #expect(run.status == 3 && run.errors == "prefs: \(words)\n", "\(run)")
    }

    @Test func `a folder of drop-ins is not said to be no regular file`() throws {
        let name = "com.example.adm"
        try sandbox.write("port = 1\n", to: "\(sandbox.root)/xdg/\(name).toml.d/50.toml")
        try sandbox.write(Sandbox.plist(""), to: "\(sandbox.root)/xdg/\(name).plist.d/50.plist")
        let run = try sandbox.prefs("doctor", "-d", name)
        #expect(
            run.status == 4 && run.output.contains("only one of these folders may have drop-ins"), "\(run)")
        #expect(!run.output.contains("regular file"), "\(run)")
        try FileManager.default.createDirectory(
            atPath: "\(sandbox.root)/.config/\(name).plist", withIntermediateDirectories: true)
        let folder = try sandbox.prefs("doctor", "-d", name)
        #expect(folder.output.contains("\(name).plist: a folder, not a file"), "\(folder)")
    }

    @Test func `a variable is not said to be removable`() throws {
        let run = try sandbox.prefs(
            "unset", "port", "--to", "environment", "-d", "com.example.myd", environment: ["MYD_PORT": "81"])
        #expect(run.status == 3, "\(run)")
        let words = "MYD_PORT, which no command changes; remove it where the program is started\n"
        #expect(run.errors.hasSuffix(words), "\(run)")
    }

    @Test func `TOML without an extension is not said to be JSON`() throws {
        try sandbox.write("[http]\nport = 80\n", to: "\(sandbox.root)/settings.conf")
        let run = try sandbox.prefs("get", "http.port", "--layer", "user=settings.conf")
        #expect(run.status == 4 && run.errors.contains("found TOML; name the file .toml"), "\(run)")
        #expect(try sandbox.prefs("validate", "settings.conf").status == 0)
    }

    @Test func `an empty file of a domain is a problem, and a drop-in that leads to nothing masks another`()
        throws
    {
        let domain = "com.example.masks"
        let folders = ["lower", "higher"].map { "\(sandbox.root)/\($0)/\(domain).toml.d" }
        let environment = ["XDG_CONFIG_DIRS": "\(sandbox.root)/higher:\(sandbox.root)/lower"]
        func port() throws -> Run {
            try sandbox.prefs("get", "port", "-d", domain, environment: environment)
        }
        try sandbox.write("port = 80\n", to: "\(folders[0])/50.toml")
        #expect(try port().output == "80\n")
        try FileManager.default.createDirectory(atPath: folders[1], withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folders[1])/50.toml", withDestinationPath: "/dev/null")
        #expect(try port().status == 1)
        try FileManager.default.createSymbolicLink(
            atPath: "\(sandbox.root)/higher/\(domain).toml", withDestinationPath: "/dev/null")
        #expect(try port().status == 4)
    }

    @Test func `the man page lists the files of a domain in the order in which the doctor does`() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../share/man/man1/prefs.1")
            .standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let files = text.split(separator: "\n").filter {
            $0.contains("com.example.myd.plist") && !$0.contains(".d/") && !$0.hasPrefix(".")
        }.map { String($0.prefix { $0 != " " }) }
        let environment = ["XDG_CONFIG_DIRS": "/DIRECTORY", "HOME": "/HOME"]
        let doctor = try sandbox.prefs("doctor", "-d", "com.example.myd", "--json", environment: environment)
        let read = (doctor.object["files"] as? [[String: Any]] ?? []).compactMap { $0["file"] as? String }
        let order = read.filter { $0.hasSuffix(".plist") }.map {
            $0.replacing("/DIRECTORY", with: "DIRECTORY").replacing("/HOME", with: "~")
        }
        #expect(files == order)
    }

    @Test func `a tool without the fleet's commands is installed without their manual`() throws {
        // The tool itself has these commands only if the tests are built with the trait Etcd.
        let installer = URL(filePath: #filePath).appending(path: "../../../share/install-tool")
            .standardizedFileURL.path
        for isComplete in [true, false] {
            let stub = "\(sandbox.root)/stub"
            try sandbox.write("#!/bin/sh\n[ \"$1 $2 \(isComplete)\" != 'help fleet false' ]\n", to: stub)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub)
            let run = try sandbox.run("/bin/sh", [installer, stub, "\(sandbox.root)/usr"])
            #expect(run.status == 0, "\(run)")
            let pages = "\(sandbox.root)/usr/share/man/man1"
            #expect(FileManager.default.fileExists(atPath: "\(pages)/prefs-fleet.1") == isComplete)
            let page = try sandbox.text(of: "\(pages)/prefs.1")
            #expect(page.contains("fleet") == isComplete && page.contains(".SH EXIT STATUS"))
        }
    }

    @Test(arguments: ["true", "sed -i s/a/a/"])
    func `an edit that changes nothing leaves nothing behind`(editor: String) throws {
        let before = try FileManager.default.subpathsOfDirectory(atPath: sandbox.root).sorted()
        for place in [["--layer", "user=new/settings.toml"], ["-d", "com.example.new"]] {
            for option in [[], ["--revert"], ["--json"]] as [[String]] {
                let run = try sandbox.run(
                    Sandbox.tool, ["edit"] + place + option, environment: ["EDITOR": editor])
                #expect(run.status == 0, "\(run)")
            }
        }
        let after = try FileManager.default.subpathsOfDirectory(atPath: sandbox.root)
            .filter { !$0.hasSuffix(".out") && !$0.hasSuffix(".err") }
        #expect(after.sorted() == before)
    }
}
