#if Etcd
    import LayeredPrefs

    extension EtcdContents.State {
        /// Takes changed canaries, and puts those that reach this host in place of the values they are tried
        /// instead of.
        ///
        /// A canary stands for its key as a write would: what is below the key is hidden, unless it has a canary
        /// of its own.
        ///
        /// - Parameters:
        ///   - changes: The changed canaries by the names of their keys; `nil` for the removed ones.
        ///   - candidates: The changed values, which become those that this host uses.
        /// - Returns: Diagnostics of canaries that cannot be read.
        mutating func apply(
            _ changes: [(name: String, item: EtcdItem?)], _ settings: EtcdSettings,
            to candidates: inout [String: PrefsCandidate?]
        ) -> [PrefsDiagnostic] {
            var reports: [PrefsDiagnostic] = []
            var touched = Set(candidates.keys)
            for (name, item) in changes {
                let old = canaries[name]
                canaries[name] = canary(name, item, settings, &reports)
                if old != nil || canaries[name] != nil { touched.formUnion(names(at: name, settings)) }
            }
            for name in touched { candidates[name] = .some(candidate(name, settings)) }
            return reports
        }

        /// Returns the candidate of a canary; `nil` if there is none that reaches this host.
        private mutating func canary(
            _ name: String, _ item: EtcdItem?, _ settings: EtcdSettings, _ reports: inout [PrefsDiagnostic]
        ) -> PrefsCandidate? {
            let origin = item.map(settings.canaries.origin)
            do throws(PrefsError) {
                let canary = try item.map { item throws(PrefsError) in
                    try EtcdPrefsStorage.Canary(item, ofKey: name, settings.canaries)
                }
                if brokenCanaries.remove(name) != nil {
                    let reason = "the canary is \(item == nil ? "removed" : "valid") now"
                    reports.append(
                        PrefsDiagnostic(
                            .recovered, PrefsError(.invalid, key: name, origin: origin, reason: reason)))
                }
                guard let canary, let origin, canary.reaches(host: settings.host) else { return nil }
                return canary.candidate(at: origin)
            } catch {
                brokenCanaries.insert(name)
                var error = error
                (error.key, error.origin) = (name, origin)
                reports.append(PrefsDiagnostic(.error, error))
                return nil
            }
        }

        /// The key and what the server has below it.
        private func names(at name: String, _ settings: EtcdSettings) -> [String] {
            guard let key = try? settings.mapping.key(for: name) else { return [] }
            let folder = key + [UInt8(ascii: "/")]
            let below = mirror.items.keys.filter { $0.starts(with: folder) }
            return [name] + below.compactMap { try? settings.mapping.name(of: $0).get() }
        }

        private func candidate(_ name: String, _ settings: EtcdSettings) -> PrefsCandidate? {
            if let canary = canaries[name] { return canary }
            var above = name[...]
            while let dot = above.lastIndex(of: ".") {
                above = above[..<dot]
                if canaries[String(above)] != nil { return nil }
            }
            guard let key = try? settings.mapping.key(for: name) else { return nil }
            return mirror.items[key].map(settings.mapping.candidate)
        }
    }
#endif
