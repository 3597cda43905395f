#if Etcd
    import ArgumentParser
    import LayeredPrefs
    import LayeredPrefsEtcd

    /// A share of the hosts: `10%` or `10`.
    struct HostShare: ExpressibleByArgument {
        let percent: Int

        init?(argument: String) {
            let digits = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
            guard let percent = Int(digits), (0...100).contains(percent) else { return nil }
            self.percent = percent
        }
    }

    /// The command `prefs fleet promote`.
    struct FleetPromoteCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "promote",
                abstract: "Make the values of canaries those of all hosts, in one transaction.",
                discussion: """
                    Exits with 1, and changes nothing, if a key has no canary, or if a host that the canary reaches \
                    reports that it rejects the value, or has not answered yet. Hosts that report nothing are not \
                    known; if the canary reaches none that reports, a warning says so.
                    """)
        }

        @OptionGroup var fleet: FleetOptions<Source>
        @OptionGroup var rollout: FleetRolloutOptions<Source>

        @Argument(help: "The keys.")
        var keys: [String]

        func run() throws {
            try running {
                let storage = try fleet.open(writing: true)
                try rollout.check(storage.canaries().filter { keys.contains($0.key) }, in: storage, of: fleet)
                try storage.promoteCanaries(ofKeys: keys)
            }
        }
    }

    /// The command `prefs fleet abort`.
    struct FleetAbortCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "abort",
                abstract: "Remove canaries, so that their hosts return to the value of all.",
                discussion: "Exits with 1, and changes nothing, if a key has no canary.")
        }

        @OptionGroup var fleet: FleetOptions<Source>

        @Argument(help: "The keys.")
        var keys: [String]

        func run() throws {
            try running { try fleet.open(writing: true).abortCanaries(ofKeys: keys) }
        }
    }
#endif
