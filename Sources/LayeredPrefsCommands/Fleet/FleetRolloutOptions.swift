#if Etcd
    import ArgumentParser
    import LayeredPrefs
    import LayeredPrefsEtcd
    import PrefsSystem

    /// The options of the commands that give a canary's value to more hosts.
    struct FleetRolloutOptions<Source: PrefsCommandSource>: ParsableArguments {
        @Option(help: "The beginning of the keys of reports; /prefs-instances/DOMAIN/ if omitted.")
        var instances: String?

        @Option(
            help: ArgumentHelp(
                "Wait at most this many seconds until each host that the canary reaches has answered.",
                valueName: "seconds"))
        var wait: Double = 0

        @Flag(help: "Make the change even if hosts reject it or have not answered.")
        var force = false

        func validate() throws {
            guard wait >= 0, wait <= 86_400 else {
                throw ValidationError("--wait expects seconds, from 0 to 86400")
            }
        }

        /// True if an option is given.
        var areGiven: Bool { instances != nil || wait > 0 || force }

        /// Throws if a process that a canary reaches reports that it rejects the value, or that it has not
        /// accepted it yet.
        func check(
            _ canaries: [EtcdPrefsStorage.Canary], in storage: EtcdPrefsStorage,
            of fleet: FleetOptions<Source>
        ) throws {
            if force || canaries.isEmpty { return }
            let prefix = try fleet.prefix("instances", given: instances)
            let end = ContinuousClock.now.advanced(by: .seconds(wait))
            while true {
                let reports = try storage.instances(under: prefix)
                let answers = canaries.map { FleetAnswers(to: $0, in: reports) }
                let objections = answers.flatMap(\.objections)
                if objections.isEmpty { return answers.forEach { $0.warnIfNone() } }
                guard answers.contains(where: \.mayChange), ContinuousClock.now < end else {
                    throw CommandFailure.failed(Self.rejection(objections))
                }
                // Reading the reports takes longer than this pause.
                let rest = max(.zero, ContinuousClock.now.duration(to: end))
                usleep(UInt32(min(rest, .milliseconds(300)) / .microseconds(1)))
            }
        }

        private static func rejection(_ objections: [String]) -> String {
            let rest = objections.count - PrefsLimits.reports
            let listed = objections.prefix(PrefsLimits.reports) + (rest > 0 ? ["… and \(rest) more"] : [])
            return listed.joined(separator: "; ") + "; nothing is changed, unless with --force"
        }
    }

    /// The reports of the processes that a canary reaches.
    private struct FleetAnswers {
        private let canary: EtcdPrefsStorage.Canary
        /// The processes that the canary reaches.
        private let reached: [EtcdPrefsStorage.Instance]

        init(to canary: EtcdPrefsStorage.Canary, in reports: [EtcdPrefsStorage.Instance]) {
            self.canary = canary
            reached = reports.filter { canary.reaches(host: $0.host) }
        }

        /// A sentence for each process that does not use the canary's value.
        var objections: [String] {
            reached.compactMap { instance in
                let process = "\(canary.key): host \(instance.host), process \(instance.pid)"
                if isUnanswered(instance) {
                    return "\(process), has not answered for the canary of revision \(canary.revision)"
                }
                return instance.rejects(canary.key) ? "\(process), rejects the value" : nil
            }
        }

        /// True if a process may still answer.
        var mayChange: Bool { reached.contains(where: isUnanswered) }

        /// Warns if no process that the canary reaches sends reports: nobody has tried the value, or nobody tells.
        func warnIfNone() {
            guard reached.isEmpty else { return }
            Output.warn(
                "\(canary.key): no process that the canary reaches reports whether it accepts the value")
        }

        private func isUnanswered(_ instance: EtcdPrefsStorage.Instance) -> Bool {
            instance.revision < canary.revision || instance.isApplying(canary.key)
        }
    }
#endif
