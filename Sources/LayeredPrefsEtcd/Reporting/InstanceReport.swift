#if Etcd
    import LayeredPrefs
    import PrefsFiles

    /// The report of one process on the contents that it has.
    ///
    /// It contains no value, and no hash from which the value of a secret could be guessed.
    struct InstanceReport: Equatable {
        /// The name of the machine.
        var host = ""
        var pid: Int32 = 0
        var program = ""
        /// The generation of the process's stack.
        var generation: UInt64 = 0
        /// The revision of the contents.
        var revision: Int64 = 0
        /// The number of keys that the process has, by the prefix under which it follows them.
        var counts: [String: Int] = [:]
        /// The declared keys of which a value is rejected, in order.
        var rejected: [String] = []
        /// A hash of the effective values; empty if no keys are declared.
        var values = ""

        /// More names than this are not listed, so that a report stays small.
        static let mostRejected = 100

        var text: String {
            let counts = counts.sorted { $0.key < $1.key }.map { "\($0.key.quotedAsJSON):\($0.value)" }
            let rejected = rejected.map(\.quotedAsJSON)
            return #"{"host":\#(host.quotedAsJSON),"pid":\#(pid),"program":\#(program.quotedAsJSON),"#
                + #""generation":\#(generation),"revision":\#(revision),"keys":{\#(counts.joined(separator: ","))},"#
                + #""rejected":[\#(rejected.joined(separator: ","))],"values":\#(values.quotedAsJSON)}"#
        }

        /// Returns true if another report says the same, apart from the generation, which also counts changes
        /// of this process that concern no other.
        func isEquivalent(to other: InstanceReport) -> Bool {
            var other = other
            other.generation = generation
            return self == other
        }
    }

    extension InstanceReport: Decodable {
        private enum CodingKeys: String, CodingKey {
            case host, pid, program, generation, revision, rejected, values
            case counts = "keys"
        }

        /// Reads a report. Only the host and the revision are required.
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            host = try fields.decodeIfPresent(String.self, forKey: .host) ?? ""
            pid = try fields.decodeIfPresent(Int32.self, forKey: .pid) ?? 0
            program = try fields.decodeIfPresent(String.self, forKey: .program) ?? ""
            generation = try fields.decodeIfPresent(UInt64.self, forKey: .generation) ?? 0
            revision = try fields.decodeIfPresent(Int64.self, forKey: .revision) ?? 0
            counts = try fields.decodeIfPresent([String: Int].self, forKey: .counts) ?? [:]
            rejected = try fields.decodeIfPresent([String].self, forKey: .rejected) ?? []
            values = try fields.decodeIfPresent(String.self, forKey: .values) ?? ""
            guard !host.isEmpty, revision > 0 else {
                throw MalformedAnswer("a report without a host and a revision")
            }
        }
    }

    extension InstanceReport {
        /// Adds what a stack's snapshot shows of the declared keys.
        ///
        /// - Parameter mayShow: Returns false for keys that are as private as secrets.
        mutating func add(
            _ snapshot: PrefsSnapshot, keys: [PrefsKeyDescription], mayShow: (String) -> Bool
        ) {
            generation = snapshot.generation
            let secrets = keys.filter { $0.isSecret || !mayShow($0.name) }.flatMap {
                [$0.name] + $0.formerNames
            }
            var (lines, names): ([String], [String]) = ([], [])
            for key in keys {
                let explanation = snapshot.explanation(for: key)
                if explanation.rows.contains(where: { $0.role.isRejected }) { names.append(key.name) }
                let isPrivate =
                    explanation.isSecret
                    || ([key.name] + key.formerNames).contains { name in
                        secrets.contains { $0.isAtOrAbove(name) || name.isAtOrAbove($0) }
                    }
                // Not even within the hash: few values are possible for many a secret.
                if isPrivate { continue }
                lines.append("\(key.name)=\(key.value(in: snapshot)?.description ?? "")\n")
            }
            rejected = Array(Set(names).sorted().prefix(Self.mostRejected))
            let text = Array(lines.sorted().joined().utf8)
            values = lines.isEmpty ? "" : String(PrefsCacheFile.checksum(text[...]), radix: 16)
        }
    }

    extension PrefsExplanation.Role {
        fileprivate var isRejected: Bool { if case .rejected = self { true } else { false } }
    }

    extension String {
        fileprivate func isAtOrAbove(_ other: String) -> Bool { self == other || other.hasPrefix(self + ".") }
    }
#endif
