#if Etcd
    import LayeredPrefs
    import PrefsDocuments
    import PrefsFiles

    /// A process's report on the contents that it has.
    ///
    /// It contains no values, and no hash that would let somebody guess a secret.
    struct InstanceReport: Equatable {
        /// The name of the machine.
        var host = ""
        var pid: Int32 = 0
        var program = ""
        /// The generation of the process's stack.
        var generation: UInt64 = 0
        /// The revision of the contents.
        var revision: Int64 = 0
        /// The number of keys that the process has under each followed prefix.
        var counts: [String: Int] = [:]
        /// The keys with a rejected value, in order.
        var rejected: [String] = []
        /// The keys whose newest values still wait for the process's handlers, in order.
        var waiting: [String] = []
        /// A hash of the effective values; empty if no keys are declared.
        var values = ""

        /// The largest number of names in a list, so that a report stays small.
        static let mostListed = 100
    }

    extension InstanceReport: Codable {
        private enum CodingKeys: String, CodingKey {
            case host, pid, program, generation, revision, rejected, waiting, values
            case counts = "keys"
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            host = try fields.decode(String.self, forKey: .host)
            pid = try fields.decode(Int32.self, forKey: .pid)
            program = try fields.decode(String.self, forKey: .program)
            generation = try fields.decode(UInt64.self, forKey: .generation)
            revision = try fields.decode(Int64.self, forKey: .revision)
            counts = try fields.decode([String: Int].self, forKey: .counts)
            rejected = try fields.decode([String].self, forKey: .rejected)
            // Earlier versions of the library do not report this field.
            waiting = try fields.decodeIfPresent([String].self, forKey: .waiting) ?? []
            values = try fields.decode(String.self, forKey: .values)
        }

        /// Reads a report that any process may have written.
        init(of item: EtcdItem) throws(MalformedAnswer) {
            try self.init(json: item.value)
            guard !host.isEmpty, revision > 0 else {
                throw MalformedAnswer("a report without a host and a revision")
            }
        }
    }

    extension InstanceReport {
        /// Begins the report of a process that has these contents.
        init(on mirror: EtcdMirror, _ settings: EtcdSettings) {
            (host, revision) = (settings.host, mirror.header.revision)
            for range in settings.ranges {
                counts[KeyMapping.text(of: range.first)] = mirror.items.keys.count(where: range.contains)
            }
        }

        /// Adds the state of the declared keys in a stack's snapshot, and the newest values that are not active.
        ///
        /// - Parameter mayShow: Returns false for keys that are as private as secrets.
        mutating func add(
            _ snapshot: PrefsSnapshot, inactive: [InactiveRevision] = [],
            keys: [PrefsKeyDescription], mayShow: (String) -> Bool
        ) {
            generation = snapshot.generation
            let secrets = keys.filter { $0.isSecret || !mayShow($0.name) }.flatMap(\.paths)
            var (lines, names): ([String], [String]) = ([], [])
            for key in keys {
                let explanation = snapshot.explanation(for: key)
                let isRejected = explanation.rows.contains { row in
                    if case .rejected = row.role { true } else { false }
                }
                if isRejected { names.append(key.name) }
                let isPrivate = key.paths.contains { path in
                    secrets.contains { $0.contains(path) || path.contains($0) }
                }
                // A secret is not even part of the hash: many secrets have only a few possible values.
                if isPrivate || explanation.isSecret { continue }
                lines.append("\(key.name)=\(key.value(in: snapshot)?.description ?? "")\n")
            }
            let asked = inactive.filter { $0.extent == .waiting }
            let rejections = inactive.filter { $0.extent != .waiting }
            rejected = Self.list(names + keys.names(holding: rejections.flatMap(\.paths)))
            waiting = Self.list(keys.names(holding: asked.flatMap(\.paths)))
            let text = Array(lines.sorted().joined().utf8)
            values = lines.isEmpty ? "" : String(PrefsCacheFile.checksum(text[...]), radix: 16)
        }

        private static func list(_ names: [String]) -> [String] {
            Array(Set(names).sorted().prefix(mostListed))
        }

        /// Returns true if another report differs at most in the generation. The generation also counts changes of
        /// this process that do not matter to others.
        func isEquivalent(to other: InstanceReport) -> Bool {
            var other = other
            other.generation = generation
            return self == other
        }

        /// Returns true if the items under a prefix have changed since the process's revision.
        ///
        /// If an item is newer than that revision, it was changed or added since. If no item is newer, a smaller
        /// number of items means that one was deleted.
        func isBehind(_ items: [EtcdItem], under prefix: String) -> Bool {
            guard let count = counts[prefix] else { return false }
            return count != items.count || items.contains { $0.revision > revision }
        }
    }

    extension [PrefsKeyDescription] {
        /// Returns the names of the keys at, above or below the paths. A path without such a key is returned
        /// itself.
        fileprivate func names(holding paths: [PrefsPath]) -> [String] {
            paths.filter { !$0.components.isEmpty }.flatMap { path -> [String] in
                let holders = filter { key in
                    key.paths.contains { $0.contains(path) || path.contains($0) }
                }
                return holders.isEmpty ? [path.name] : holders.map(\.name)
            }
        }
    }

    extension PrefsKeyDescription {
        fileprivate var paths: [PrefsPath] { ([name] + formerNames).map(PrefsPath.init) }
    }
#endif
