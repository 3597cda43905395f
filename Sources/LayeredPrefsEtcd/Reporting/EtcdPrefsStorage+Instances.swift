#if Etcd
    import LayeredPrefs

    extension EtcdPrefsStorage {
        /// A process that reports to the fleet; see ``EtcdPrefsStorage/reportInstance(of:keys:under:lifetime:delay:)``.
        public struct Instance: Sendable, Hashable {
            /// The name of the machine.
            public var host: String
            /// The identifier of the process on that machine.
            public var pid: Int32
            /// The path of the program, as it was started.
            public var program: String
            /// The generation of the program's stack at the time of the report.
            public var generation: UInt64
            /// The revision of the contents that the process has.
            public var revision: Int64
            /// Whether the server has contents that the process has not received, or has not reported yet.
            public var isBehind: Bool
            /// The keys with a value that the process rejects, including a canary's value; at most 100. The
            /// process uses an earlier value instead.
            public var rejected: [String]
            /// The keys whose newest values the process has not accepted yet, because closures of
            /// ``Live/apply(_:_:)`` are still deciding; at most 100.
            public var waiting: [String]
            /// A hash of the effective values of the keys that the program declares, without secrets. Empty if it
            /// declares none.
            ///
            /// Two processes that run the same version of a program with the same values have the same hash.
            public var values: String
        }

        /// Fetches the reports of the processes under a prefix, in the order of host and pid.
        ///
        /// The reports are compared with the contents under this storage's prefixes at the same revision. A process
        /// is listed until its lease expires, even if the process has ended. An item that is not a report is left
        /// out, with a diagnostic.
        ///
        /// - Throws: ``PrefsError``: `.unreadable` if no server answers or the user may not read.
        public func instances(under prefix: String) throws -> [Instance] {
            let range = KeyMapping(prefix: prefix).range
            let list = try items(in: client.settings.ranges + [range])
            let contents = client.settings.ranges.map { range in
                (
                    prefix: KeyMapping.text(of: range.first),
                    items: list.items.filter { range.contains($0.key) }
                )
            }
            return list.items.filter { range.contains($0.key) }.compactMap { item in
                do throws(MalformedAnswer) {
                    let report = try InstanceReport(of: item)
                    let isBehind =
                        report.revision > list.header.revision
                        || contents.contains { report.isBehind($0.items, under: $0.prefix) }
                    return Instance(report, isBehind: isBehind)
                } catch {
                    let origin = KeyMapping.origin(of: item.key)
                    let reason = "not a report: \(error.reason)"
                    diagnostics.report(.warning, PrefsError(.invalid, origin: origin, reason: reason))
                    return nil
                }
            }.sorted { ($0.host, $0.pid) < ($1.host, $1.pid) }
        }
    }

    extension EtcdPrefsStorage.Instance {
        fileprivate init(_ report: InstanceReport, isBehind: Bool) {
            (host, pid, program) = (report.host, report.pid, report.program)
            (generation, revision, self.isBehind) = (report.generation, report.revision, isBehind)
            (rejected, waiting, values) = (report.rejected, report.waiting, report.values)
        }
    }
#endif
