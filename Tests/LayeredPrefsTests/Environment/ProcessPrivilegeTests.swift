import Glibc
import Testing

@testable import LayeredPrefs

struct ProcessPrivilegeTests {
    @Test(
        arguments: [
            (false, 1000, 1000, 100, 100, false), (false, 0, 0, 0, 0, false),
            (false, 1000, 0, 100, 100, true), (false, 0, 1000, 100, 100, true),
            (false, 1000, 1000, 100, 0, true),
            // File capabilities change no user or group ID.
            (true, 1000, 1000, 100, 100, true), (true, 0, 0, 0, 0, true),
        ] as [(Bool, UInt32, UInt32, UInt32, UInt32, Bool)])
    func `the kernel flag and the user and group IDs decide`(
        isSecureStart: Bool, user: UInt32, effectiveUser: UInt32, group: UInt32, effectiveGroup: UInt32,
        expected: Bool
    ) {
        let privilege = ProcessPrivilege(
            isSecureStart: isSecureStart, users: (user, effectiveUser), groups: (group, effectiveGroup))
        #expect(privilege.isRaised == expected)
    }

    @Test func `a process that is started normally is not privileged`() {
        #expect(!ProcessPrivilege.isRaised)
    }

    @Test func `a variable is split at its first equals sign, whatever follows`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("SPLIT_EQUALS", "a=b=c", 1)
            unsafe setenv("SPLIT_EMPTY", "", 1)
            // With the equals sign, the combining accent is one character.
            unsafe setenv("SPLIT_ACCENT", "\u{301}x", 1)
            let variables = ProcessPrivilege.trustedEnvironment
            precondition(variables["SPLIT_EQUALS"] == "a=b=c")
            precondition(variables["SPLIT_EMPTY"]?.isEmpty == true)
            precondition(variables["SPLIT_ACCENT"] == "\u{301}x")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can have an effective user other than the real one"))
    func `no storage of a privileged process reads the environment or the arguments of its caller`() async {
        await #expect(processExitsWith: .success) {
            let key = PersistentKey("a", defaultValue: "default")
            func value(_ layer: PrefsLayer) -> String { PrefsStack { layer }.get(key) }
            unsafe setenv("RAISED_A", "environment", 1)
            precondition(value(.environment(prefix: "RAISED_")) == "environment")
            precondition(!ProcessPrivilege.trustedArguments.isEmpty)
            seteuid(65534)
            precondition(value(.environment(prefix: "RAISED_")) == "default")
            precondition(value(PrefsLayer("own", .environment(prefix: "RAISED_"))) == "default")
            precondition(ProcessPrivilege.trustedArguments.isEmpty)
            precondition(ArgumentsPrefsStorage().snapshot.dictionary.isEmpty)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can have an effective user other than the real one"))
    func `a privileged process checks no configuration for its caller`() async {
        await #expect(processExitsWith: .success) {
            struct Relay: Codable, Sendable { var port = 25 }
            let storage = PrefsStack {}
            let arguments = ["relay", "--check-config", "/dev/null"]
            precondition(storage.checkConfiguration([], arguments: arguments) != nil)
            seteuid(65534)
            precondition(storage.checkConfiguration([], arguments: arguments) == nil)
            precondition(Live.checkConfiguration(Relay(), storage, arguments: arguments) == nil)
            let own = ["relay", "--check-config"]
            precondition(Live.checkConfiguration(Relay(), storage, arguments: own) == nil)
        }
    }
}
