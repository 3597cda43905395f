import Foundation
import Testing

/// The results that scripts need from a command: whether it changed anything, and whether its question made sense.
@Suite struct ChangedOutputTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(Sandbox.plist("<key>a</key><integer>1</integer>"), to: sandbox.user)
        try sandbox.write(#"{"a": 2, "b": "x"}"#, to: "\(sandbox.root)/new.json")
    }

    @Test func `set, unset, lock, unlock and import say whether they changed anything`() throws {
        let commands: [[String]] = [
            ["set", "a", "5", "--json"], ["unset", "a", "--absent-ok", "--json"], ["lock", "a", "--json"],
            ["unlock", "a", "--absent-ok", "--json"],
        ]
        for command in commands {
            for isChanged in [true, false] {
                let run = try sandbox.run(Sandbox.tool, command + sandbox.layers)
                #expect(run.status == 0, "\(command) \(run)")
                #expect(run.object["changed"] as? Bool == isChanged, "\(command) \(run)")
            }
        }
        for isChanged in [true, false] {
            let run = try sandbox.layered("import", "new.json", "--json")
            #expect(run.objects.map { $0["key"] as? String } == ["a", "b"], "\(run)")
            #expect(run.objects.allSatisfy { $0["changed"] as? Bool == isChanged }, "\(run)")
        }
        let replaced = try sandbox.layered("set", "c", "1")
        #expect(replaced.status == 0)
        let run = try sandbox.layered("import", "new.json", "--replace", "--json")
        let changed = run.objects.filter { $0["changed"] as? Bool == true }.map { $0["key"] as? String }
        #expect(changed == ["c"], "\(run)")
    }

    @Test func `an absent key is a success only if it is asked for, and an unknown key never`() throws {
        for (command, words) in [("unset", "not set"), ("unlock", "not locked")] {
            let absent = try sandbox.layered(command, "level", "--schema", sandbox.schema)
            #expect(absent.status == 1 && absent.errors.contains(words), "\(absent)")
            let accepted = try sandbox.layered(command, "level", "--absent-ok", "--schema", sandbox.schema)
            #expect(accepted.status == 0 && accepted.errors == "", "\(accepted)")
            let unknown = try sandbox.layered(command, "levle", "--absent-ok", "--schema", sandbox.schema)
            #expect(unknown.status == 1 && unknown.errors.contains("did you mean “level”?"), "\(unknown)")
        }
    }

    @Test func `what diff cannot compare is no difference`() throws {
        for arguments in [
            ["usr", "system"], ["user", "./none.plist"], ["--if", "system=none.toml"],
            ["--if", "drop-in=none.toml"],
        ] {
            let run = try sandbox.run(Sandbox.tool, ["diff"] + arguments + sandbox.layers)
            #expect(run.status == 2 && run.errors != "", "\(arguments) \(run)")
        }
    }

    @Test(arguments: ["list", "export"])
    func `a file or a key that does not exist is an error`(command: String) throws {
        let file = try sandbox.prefs(command, "--layer", "user=none.toml")
        #expect(file.status == 1 && file.errors.contains("none.toml: no such file"), "\(file)")
        let key = try sandbox.layered(command, "nothing")
        #expect(key.status == 1 && key.errors.contains("nothing: not set"), "\(key)")
    }
}
