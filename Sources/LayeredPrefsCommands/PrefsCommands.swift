public import ArgumentParser

/// All commands, under one: the tool's root, or `config` in an application's command line.
///
/// ```
/// myd config explain http.port
/// ```
public struct PrefsCommands<Source: PrefsCommandSource>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Source.commandName,
            abstract: "Look at preferences and change them, layer by layer.",
            discussion: """
                Preferences resolve through layers: of every key, the highest layer's value is in force. The \
                layers are a domain's standard ones (--domain com.example.myd), or are given one by one, low \
                to high: --layer system=PATH --layer user=PATH --env PREFIX --set key=value.

                Exit codes: 0 success, 1 no such key or a check failed, 2 wrong usage, 3 refused by a lock or \
                a permission, 4 a broken file.
                """,
            version: prefsVersion,
            subcommands: subcommands)
    }

    private static var subcommands: [any ParsableCommand.Type] {
        [
            GetCommand<Source>.self, ListCommand<Source>.self, SetCommand<Source>.self,
            UnsetCommand<Source>.self, ExplainCommand<Source>.self, WatchCommand<Source>.self,
            ValidateCommand<Source>.self, DiffCommand<Source>.self, ConvertCommand<Source>.self,
            ExportCommand<Source>.self, ImportCommand<Source>.self, EditCommand<Source>.self,
            LockCommand<Source>.self, UnlockCommand<Source>.self, LocksCommand<Source>.self,
            DoctorCommand<Source>.self,
        ]
    }

    public init() {}
}

/// The version of the commands.
let prefsVersion = "1.0.0"
