#if Etcd
    import LayeredPrefs
    import PrefsDocuments

    extension EtcdClient.State {
        /// Applies changed canaries. A canary that reaches this host replaces the value of its key.
        ///
        /// Like a write, a canary hides everything below its key, except keys that have a canary of their own.
        ///
        /// - Parameters:
        ///   - changes: The changed canaries by the names of their keys; `nil` for a removed canary.
        ///   - candidates: The changed values. On return, they are the values that this host uses.
        /// - Returns: Diagnostics about canaries that cannot be read.
        mutating func apply(
            _ changes: [(name: String, item: EtcdItem?)], _ settings: EtcdSettings,
            to candidates: inout [String: PrefsCandidate?]
        ) -> [PrefsDiagnostic] {
            var reports: [PrefsDiagnostic] = []
            var changed: Set<String> = []
            for (name, item) in changes {
                let old = canaries[name]
                canaries[name] = canary(name, item, settings, &reports)
                if old != nil || canaries[name] != nil { changed.insert(name) }
            }
            let touched = changed.union(candidates.keys).union(names(below: changed, settings))
            for name in touched { candidates[name] = .some(candidate(name, settings)) }
            return reports
        }

        /// Returns the candidate of a canary; `nil` if there is no canary or it does not reach this host.
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

        /// Returns the names of the server's keys below some keys. It takes one pass, however many keys are given.
        private func names(below keys: Set<String>, _ settings: EtcdSettings) -> [String] {
            if keys.isEmpty { return [] }
            return mirror.items.keys.compactMap { try? settings.mapping.name(of: $0) }
                .filter { PrefsPath($0).ancestors.contains { keys.contains($0.name) } }
        }

        private func candidate(_ name: String, _ settings: EtcdSettings) -> PrefsCandidate? {
            if let canary = canaries[name] { return canary }
            guard !PrefsPath(name).ancestors.contains(where: { canaries[$0.name] != nil }),
                let key = try? settings.mapping.key(for: name)
            else { return nil }
            return mirror.items[key].map(settings.mapping.candidate)
        }
    }
#endif
