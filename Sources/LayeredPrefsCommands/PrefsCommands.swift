public import ArgumentParser

/// The command that contains all others: the root of the tool `prefs`, or `config` in an application's command line.
///
/// ```
/// myd config explain http.port
/// ```
public struct PrefsCommands<Source: PrefsCommandSource>: ParsableCommand {
    /// The name, help texts and subcommands.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Source.commandName,
            abstract: "Inspect and change preferences, layer by layer.",
            discussion: """
                Preferences are resolved through layers: for each key, the highest acceptable value is \
                effective. Use the standard layers of a domain (--domain com.example.myd), or give layers one \
                by one, lowest first: --layer system=PATH --layer user=PATH --env PREFIX --set key=value.

                Exit codes: 0 success; 1 the key is unknown or not set, a file does not exist, or a check failed; 2 the \
                command line is invalid; 3 denied by a lock or by permissions; 4 a file is broken; 5 with --wait, a \
                process has rejected the change; 6 a process or a server does not answer, or has not decided in time.
                """,
            version: prefsVersion,
            subcommands: subcommands)
    }

    private static var subcommands: [any ParsableCommand.Type] {
        let commands: [any ParsableCommand.Type] = [
            GetCommand<Source>.self, ListCommand<Source>.self, SetCommand<Source>.self,
            UnsetCommand<Source>.self, ExplainCommand<Source>.self, WatchCommand<Source>.self,
            ValidateCommand<Source>.self, DiffCommand<Source>.self, ConvertCommand<Source>.self,
            ExportCommand<Source>.self, ImportCommand<Source>.self, EditCommand<Source>.self,
            RepairCommand<Source>.self,
            LockCommand<Source>.self, UnlockCommand<Source>.self, LocksCommand<Source>.self,
            DoctorCommand<Source>.self, PsCommand<Source>.self, HistoryCommand<Source>.self,
            DriftCommand<Source>.self, ReadsCommand<Source>.self, ReloadCommand<Source>.self,
            UICommand<Source>.self, SchemaCommand<Source>.self,
        ]
        #if Etcd
            return commands + [FleetCommand<Source>.self]
        #else
            return commands
        #endif
    }

    /// Creates the command. The argument parser calls it.
    public init() {}
}

/// The version that `--version` prints.
let prefsVersion = "0.1.0"
