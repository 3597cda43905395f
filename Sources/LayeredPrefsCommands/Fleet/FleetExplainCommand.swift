#if Etcd
    import ArgumentParser
    import LayeredPrefs
    import LayeredPrefsEtcd

    /// The command `prefs fleet explain`.
    struct FleetExplainCommand<Source: PrefsCommandSource>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "explain",
                abstract:
                    "Print a key's value, canary and lock, and which processes use it.",
                discussion: """
                    Lists the processes that report themselves. It marks those that the canary reaches, and those \
                    that have not received the key's last change, reject its value or have not accepted it yet. On \
                    each machine, 'prefs explain' shows what the other layers do with the key.

                    Exits with 1 if the key has neither a value nor a canary nor a lock.
                    """)
        }

        @OptionGroup var fleet: FleetOptions<Source>
        @OptionGroup var prefixes: FleetPrefixes
        @OptionGroup var secrets: FleetSecretOptions<Source>

        @OptionGroup var output: OutputOptions

        @Argument(help: "The key.")
        var key: String

        func run() throws {
            try running {
                let secrets = try secrets.paths(in: fleet)
                let storage = try fleet.open(locks: try fleet.prefix("locks", given: prefixes.locks))
                let explanation = try FleetExplanation(
                    of: key, in: storage,
                    instances: storage.instances(
                        under: try fleet.prefix("instances", given: prefixes.instances)),
                    hiding: secrets)
                if output.json {
                    Output.print(explanation.json)
                } else {
                    explanation.table.print()
                }
            }
        }
    }

    /// A key's value, canaries and lock on the server, and the processes that report.
    struct FleetExplanation {
        private let key: String
        private let value: PrefsCandidate?
        /// The revision of the value's last change.
        private let revision: Int64?
        /// The canaries of the key, of its parts, and of keys that contain it.
        private let canaries: [EtcdPrefsStorage.Canary]
        private let lock: PrefsOrigin?
        private let instances: [EtcdPrefsStorage.Instance]
        private let secrets: SecretPaths

        init(
            of key: String, in storage: EtcdPrefsStorage, instances: [EtcdPrefsStorage.Instance],
            hiding secrets: SecretPaths
        ) throws {
            self.key = key
            self.secrets = secrets
            self.instances = instances
            let stored = try storage.candidates()
            let snapshot = PrefsSnapshot(candidates: stored).locking(try storage.locks())
            value = snapshot.candidates(forKey: key).first
            let parts = stored.filter { $0.key.isBelow(key) }.map(\.value)
            revision = ([value].compactMap(\.self) + parts).compactMap {
                $0.origin.revision.flatMap { Int64($0) }
            }
            .max()
            canaries = try storage.canaries().filter { $0.key.isBelow(key) || key.isBelow($0.key) }
            lock = snapshot.resolution(forKey: key).lock?.origin
            if value == nil, canaries.isEmpty, lock == nil {
                throw CommandFailure.noSuchKey(key, nearest: nil)
            }
        }

        var table: Table {
            var table = Table()
            if let value {
                table.add(
                    .init("value", .bold), .init(value.shown(at: key, secrets)),
                    .init("revision \(revision ?? 0)", .dim))
            }
            for canary in canaries {
                table.add(
                    .init(canary.key == key ? "canary" : "canary \(canary.key)", .bold),
                    .init(ValueText.shown(canary.value, at: canary.key, secrets)),
                    .init("revision \(canary.revision), \(canary.percent)% of the hosts", .dim))
            }
            if let lock { table.add(.init("lock", .bold), .init("\(lock)")) }
            for instance in instances {
                let marks = marks(of: instance)
                table.add(
                    .init(instance.host), .init("\(instance.pid)"),
                    .init("revision \(instance.revision)", .dim),
                    .init(marks.joined(separator: ", "), instance.rejects(key) ? .red : nil))
            }
            return table
        }

        private func marks(of instance: EtcdPrefsStorage.Instance) -> [String] {
            (isReached(instance) ? ["canary"] : []) + (isBehind(instance) ? ["behind"] : [])
                + (instance.rejects(key) ? ["rejects the value"] : [])
                + (instance.isApplying(key) ? ["is applying the value"] : [])
        }

        private func isReached(_ instance: EtcdPrefsStorage.Instance) -> Bool {
            canaries.contains { $0.reaches(host: instance.host) }
        }

        private func isBehind(_ instance: EtcdPrefsStorage.Instance) -> Bool {
            instance.revision < canaries.map(\.revision).reduce(revision ?? 0, max)
        }

        var json: OrderedJSON {
            .object([
                ("key", .string(key)),
                ("value", value.map { $0.rejection == nil ? hiding($0.value, at: key) : .null } ?? .null),
                ("rejection", OrderedJSON(value?.rejection?.reason)),
                ("revision", revision.map { .number("\($0)") } ?? .null),
                ("canary", (canaries.first { $0.key == key } ?? canaries.first).map(json) ?? .null),
                ("lock", OrderedJSON(lock.map { "\($0)" })),
                ("instances", .array(instances.map(json))),
            ])
        }

        private func hiding(_ value: PrefsValue, at key: String) -> OrderedJSON {
            OrderedJSON(secrets.masking(value, at: PrefsPath(key)))
        }

        private func json(of canary: EtcdPrefsStorage.Canary) -> OrderedJSON {
            .object([
                ("key", .string(canary.key)), ("value", hiding(canary.value, at: canary.key)),
                ("percent", OrderedJSON(canary.percent)),
                ("revision", .number("\(canary.revision)")),
            ])
        }

        private func json(of instance: EtcdPrefsStorage.Instance) -> OrderedJSON {
            .object([
                ("host", .string(instance.host)), ("pid", OrderedJSON(Int(instance.pid))),
                ("revision", .number("\(instance.revision)")), ("canary", .bool(isReached(instance))),
                ("behind", .bool(isBehind(instance))), ("rejects", .bool(instance.rejects(key))),
                ("applying", .bool(instance.isApplying(key))),
            ])
        }
    }

    extension EtcdPrefsStorage.Instance {
        /// Returns true if the process rejects a value of the key, of one of its parts, or of a key that contains
        /// it.
        func rejects(_ key: String) -> Bool { rejected.contains { $0.isBelow(key) || key.isBelow($0) } }

        /// Returns true if the process has not yet accepted such a value.
        func isApplying(_ key: String) -> Bool { waiting.contains { $0.isBelow(key) || key.isBelow($0) } }
    }
#endif
