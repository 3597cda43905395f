#if Etcd
    import ArgumentParser
    import FoundationEssentials
    import LayeredPrefs
    import LayeredPrefsEtcd

    /// The command `prefs fleet`.
    struct FleetCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "fleet",
                abstract: "Read and change the settings that many machines share in etcd.",
                discussion: """
                    The settings of a domain are the keys under /prefs/DOMAIN/: http.port is \
                    /prefs/DOMAIN/http/port. Every change is one transaction of at most 128 keys, so that each \
                    machine has all of it or none, or the part of the machines that 'set --canary' names. 'rollback' returns to \
                    what the server held at an earlier revision.
                    """,
                subcommands: [
                    FleetGetCommand<Source>.self, FleetSetCommand<Source>.self,
                    FleetUnsetCommand<Source>.self,
                    FleetHistoryCommand<Source>.self, FleetRollbackCommand<Source>.self,
                    FleetPromoteCommand<Source>.self, FleetAbortCommand<Source>.self,
                    FleetExplainCommand<Source>.self, FleetStatusCommand<Source>.self,
                ])
        }
    }

    /// The command `prefs fleet get`.
    struct FleetGetCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "get", abstract: "Print keys, with the revision at which each was changed.",
                discussion: "Exits with 1 if the key is not set.")
        }

        @OptionGroup var fleet: FleetOptions<Source>
        @OptionGroup var secrets: FleetSecretOptions<Source>

        @Option(help: "Print the values of this revision instead of the current ones.")
        var revision: Int64?

        @Argument(help: "The key, which includes those below it; all if omitted.")
        var key: String?

        func run() throws {
            try running {
                let secrets = try secrets.paths(in: fleet)
                let candidates = try fleet.open().candidates(atRevision: revision).filter { name, _ in
                    key.map { name == $0 || name.hasPrefix("\($0).") } ?? true
                }
                if let key, candidates.isEmpty { throw CommandFailure.noSuchKey(key, nearest: nil) }
                var table = Table()
                for (name, candidate) in candidates.sorted(by: { $0.key < $1.key }) {
                    table.add(
                        .init(name, .bold), .init(candidate.shown(at: name, secrets)),
                        .init(candidate.place, .dim))
                }
                table.print()
            }
        }
    }

    /// The command `prefs fleet set`.
    struct FleetSetCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "set", abstract: "Store one or more keys, in one transaction.",
                discussion: """
                    A value is JSON; one that is not is a string, unless it begins with { or [. With --canary, only that part of the hosts uses \
                    the values, until 'promote' makes them those of all or 'abort' removes them; the hosts of 10% \
                    are among those of 50%. Without it, the keys' canaries end. Exits with 1, and changes nothing, if a \
                    canary would reach more hosts while one that it reaches reports that it rejects the value, or has not answered yet.
                    """)
        }

        @OptionGroup var fleet: FleetOptions<Source>

        @Option(help: ArgumentHelp("Reach only this part of the hosts, such as 10%.", valueName: "percent"))
        var canary: HostShare?

        @OptionGroup var rollout: FleetRolloutOptions<Source>

        @Argument(help: "Keys and values: http.port=8080 log.level=debug.")
        var assignments: [String]

        func validate() throws {
            if canary == nil, rollout.areGiven {
                throw ValidationError("--instances, --wait and --force need --canary")
            }
        }

        func run() throws {
            try running {
                var values: [String: PrefsValue] = [:]
                for assignment in assignments {
                    let parts = assignment.split(
                        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    guard parts.count == 2 else {
                        throw CommandFailure.usage("expected KEY=VALUE, found “\(assignment)”")
                    }
                    values[String(parts[0])] = try Self.value(of: String(parts[1]), for: parts[0])
                }
                let storage = try fleet.open(writing: true)
                if let canary {
                    let narrower = try storage.canaries().filter {
                        $0.percent > 0 && $0.percent < canary.percent && values[$0.key] == $0.value
                    }
                    try rollout.check(narrower, in: storage, of: fleet)
                    try storage.setCanaries(values, percentOfHosts: canary.percent)
                } else {
                    try storage.setValues(values.mapValues { .some($0) })
                }
            }
        }
    }

    extension FleetSetCommand {
        /// Parses a JSON value. Any other text is a string, unless it begins like an object or an array.
        fileprivate static func value(of text: String, for key: Substring) throws -> PrefsValue {
            do {
                return try PrefsDocument(parsing: text, as: .json, strict: true, root: nil).root.value
            } catch {
                guard let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first) else {
                    return .string(text)
                }
                throw CommandFailure.usage(
                    "\(key): “\(text)” begins like JSON and is broken: \(error.reason); write a string as JSON, too: "
                        + "\"…\"")
            }
        }
    }

    /// The command `prefs fleet unset`.
    struct FleetUnsetCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "unset", abstract: "Remove keys and what is below them, in one transaction.")
        }

        @OptionGroup var fleet: FleetOptions<Source>

        @Argument(help: "The keys.")
        var keys: [String]

        func run() throws {
            try running {
                let values = Dictionary(keys.map { ($0, PrefsValue?.none) }) { $1 }
                try fleet.open(writing: true).setValues(values)
            }
        }
    }

    /// The command `prefs fleet history`.
    struct FleetHistoryCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "history", abstract: "Print the values that a key has had, the newest first.",
                discussion:
                    """
                    Begins when the key was last created. If it was removed before, 'get --revision' prints its \
                    older values. The server keeps the values until it compacts its history. Exits with 1 if there are \
                    none.
                    """)
        }

        @OptionGroup var fleet: FleetOptions<Source>
        @OptionGroup var secrets: FleetSecretOptions<Source>

        @Argument(help: "The key.")
        var key: String

        func run() throws {
            try running {
                let secrets = try secrets.paths(in: fleet)
                let history = try fleet.open().history(ofKey: key)
                if history.isEmpty { throw CommandFailure.noSuchKey(key, nearest: nil) }
                var table = Table()
                for candidate in history {
                    table.add(.init(candidate.place, .dim), .init(candidate.shown(at: key, secrets)))
                }
                table.print()
            }
        }
    }

    /// The command `prefs fleet rollback`.
    struct FleetRollbackCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "rollback",
                abstract: "Return to the values of an earlier revision, in one transaction.",
                discussion:
                    "Keys and canaries that were added since are removed. Locks are left as they are.")
        }

        @OptionGroup var fleet: FleetOptions<Source>

        @Argument(help: "The revision, as 'get' and 'history' print it.")
        var revision: Int64

        func run() throws {
            try running { try fleet.open(writing: true).restore(revision: revision) }
        }
    }

    extension PrefsCandidate {
        /// Returns the value with secrets masked, or the reason why the value is rejected.
        func shown(at key: String, _ secrets: SecretPaths) -> String {
            rejection.map { "rejected: \($0.reason)" } ?? ValueText.shown(value, at: key, secrets)
        }

        var place: String { "revision \(origin.revision ?? "unknown")" }
    }
#endif
