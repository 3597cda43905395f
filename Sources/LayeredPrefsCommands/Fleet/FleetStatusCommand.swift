#if Etcd
    import ArgumentParser
    import LayeredPrefs
    import LayeredPrefsEtcd
    import PrefsSystem

    /// The command `prefs fleet status`.
    struct FleetStatusCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "status",
                abstract: "List the processes that lag behind the server or do not use its values.",
                discussion: """
                    Programs report themselves if they ask for it; see the guide “One configuration for a \
                    fleet”. Prints host, pid, revision, the start of the hash of the effective values, and what \
                    is wrong; then a summary. A process that was killed is listed until its report expires.

                    Exits with 1 if a process lags, rejects a value or is still applying it, or if none reports.
                    """)
        }

        @OptionGroup var fleet: FleetOptions<Source>
        @OptionGroup var prefixes: FleetPrefixes

        @Flag(help: "List all processes.")
        var all = false

        @Flag(help: "Print JSON, one object per process.")
        var json = false

        @Option(help: "Wait at most this many seconds until no process lags or is applying a value.")
        var wait: Double = 0

        func validate() throws {
            guard wait >= 0, wait <= 86_400 else {
                throw ValidationError("--wait expects seconds, from 0 to 86400")
            }
        }

        func run() throws {
            try running {
                let locks = try fleet.prefix("locks", given: prefixes.locks)
                let instances = try instances(
                    of: try fleet.open(locks: locks),
                    under: try fleet.prefix("instances", given: prefixes.instances))
                let listed = instances.filter { all || json || !$0.isUpToDate }
                if json {
                    Output.print(listed.map(\.json))
                } else {
                    var table = Table()
                    for instance in listed { instance.add(to: &table) }
                    table.print()
                    Output.print(Self.summary(of: instances))
                }
                if instances.isEmpty || !instances.allSatisfy(\.isUpToDate) { throw CommandStatus.failed }
            }
        }

        /// Returns the processes once none is behind or applying a value, or once the time is over.
        private func instances(
            of storage: EtcdPrefsStorage, under prefix: String
        ) throws -> [EtcdPrefsStorage.Instance] {
            let end = ContinuousClock.now.advanced(by: .seconds(wait))
            while true {
                let instances = try storage.instances(under: prefix)
                let isLagging = instances.isEmpty || instances.contains { $0.isBehind || !$0.waiting.isEmpty }
                guard isLagging, ContinuousClock.now < end else { return instances }
                // Reading the reports takes longer than this pause.
                let rest = max(.zero, ContinuousClock.now.duration(to: end))
                usleep(UInt32(min(rest, .milliseconds(300)) / .microseconds(1)))
            }
        }

        static func summary(of instances: [EtcdPrefsStorage.Instance]) -> String {
            let behind = instances.count(where: \.isBehind)
            let rejecting = instances.count { !$0.rejected.isEmpty }
            let waiting = instances.count { !$0.waiting.isEmpty }
            let sets = Set(instances.map(\.values)).count
            return "\(instances.count) \(instances.count == 1 ? "process" : "processes"), \(behind) behind, "
                + "\(rejecting) with rejected values, \(waiting == 0 ? "" : "\(waiting) applying values, ")\(sets) \(sets == 1 ? "set" : "sets") of effective values"
        }
    }

    /// The options for the prefixes of the keys that are not values.
    struct FleetPrefixes: ParsableArguments {
        @Option(help: "The beginning of the keys of locks; /prefs-locks/DOMAIN/ if omitted.")
        var locks: String?

        @Option(help: "The beginning of the keys of reports; /prefs-instances/DOMAIN/ if omitted.")
        var instances: String?
    }

    extension EtcdPrefsStorage.Instance {
        /// True if the process has loaded and accepted the server's current contents.
        var isUpToDate: Bool { !isBehind && rejected.isEmpty && waiting.isEmpty }

        fileprivate func add(to table: inout Table) {
            let problems =
                (isBehind ? ["behind"] : [])
                + (rejected.isEmpty ? [] : ["rejects \(rejected.joined(separator: ", "))"])
                + (waiting.isEmpty ? [] : ["is applying \(waiting.joined(separator: ", "))"])
            table.add(
                .init(host, .bold), .init("\(pid)"), .init("revision \(revision)", isBehind ? .yellow : .dim),
                .init("values \(values.isEmpty ? "unknown" : String(values.prefix(8)))", .dim),
                .init(
                    problems.isEmpty ? "up to date" : problems.joined(separator: "; "),
                    rejected.isEmpty ? .dim : .red),
                .init(program, .dim))
        }

        var json: OrderedJSON {
            .object([
                ("host", .string(host)), ("pid", OrderedJSON(Int(pid))), ("program", .string(program)),
                ("generation", .number("\(generation)")), ("revision", .number("\(revision)")),
                ("behind", .bool(isBehind)), ("rejected", .array(rejected.map { .string($0) })),
                ("waiting", .array(waiting.map { .string($0) })),
                ("values", .string(values)),
            ])
        }
    }
#endif
