#if Etcd
    import FoundationEssentials
    import Glibc
    import LayeredPrefs
    import PrefsFiles

    extension EtcdPrefsStorage {
        /// The place on disk for the last contents received, with which a program starts while no server answers.
        ///
        /// The file is replaced as a whole, carries a checksum, and can be read only by its owner.
        public struct Cache: Sendable, Hashable {
            private enum Place: Hashable {
                case none, standard
                case file(String)
            }

            private let place: Place
            /// The keys that are not written to disk.
            private var omitted: [String] = []

            private init(_ place: Place) { self.place = place }

            /// No cache: without a server the layer is empty at the start.
            public static let none = Cache(.none)

            /// A file in `$CACHE_DIRECTORY`, which systemd sets for a service with `CacheDirectory=`, else in
            /// `LayeredPrefs` within `$XDG_CACHE_HOME` or `~/.cache`; none if there is no such folder.
            ///
            /// A set-uid process ignores the variables.
            public static let standard = Cache(.standard)

            /// A file at a path. Missing folders are created, readable only by this user.
            public static func file(at path: String) -> Cache { Cache(.file(path)) }

            /// Returns a cache without some keys and what is below them, such as secrets.
            ///
            /// - Parameter keys: Names of preferences: `tls.key`.
            public func omitting(_ keys: [String]) -> Cache {
                var cache = self
                cache.omitted += keys
                return cache
            }

            /// Returns the same cache with an absolute path.
            func absolute(_ diagnostics: PrefsDiagnostics) -> Cache {
                guard case .file(let path) = place else { return self }
                return Cache.file(at: diagnostics.absolutePath(of: path)).omitting(omitted)
            }

            /// The file, for a client of these endpoints and this prefix; `nil` for none.
            func file(endpoints: [String], prefix: String) -> CacheFile? {
                switch place {
                case .none: nil
                case .file(let path): CacheFile(path: path)
                case .standard:
                    Self.standardFolder.map { folder in
                        CacheFile(path: "\(folder)/\(Self.name(endpoints: endpoints, prefix: prefix))")
                    }
                }
            }

            /// Returns true if a key may be written to disk.
            func mayContain(_ name: String) -> Bool {
                !omitted.contains { name == $0 || name.hasPrefix($0 + ".") }
            }

            private static var standardFolder: String? {
                if let folder = variable("CACHE_DIRECTORY")?.split(separator: ":").first {
                    return String(folder)
                }
                if let folder = variable("XDG_CACHE_HOME") { return folder + "/LayeredPrefs" }
                return variable("HOME").map { $0 + "/.cache/LayeredPrefs" }
            }

            /// The absolute path in a variable.
            private static func variable(_ name: String) -> String? {
                guard getuid() == geteuid(), getgid() == getegid(), let value = unsafe getenv(name) else {
                    return nil
                }
                let path = unsafe String(cString: value)
                return path.hasPrefix("/") ? path : nil
            }

            /// A file's name that two clusters, or two prefixes, never share.
            private static func name(endpoints: [String], prefix: String) -> String {
                let text = (endpoints.sorted() + [prefix]).joined(separator: "\n")
                let hash = String(PrefsCacheFile.checksum(Array(text.utf8)[...]), radix: 16)
                let readable = prefix.unicodeScalars.map {
                    $0.properties.isAlphabetic && $0.isASCII ? Character($0) : "-"
                }
                return "etcd\(String(readable.suffix(60)))\(hash)"
            }
        }
    }

    /// Keeps the cache up to date. Confined to the client's thread.
    final class CacheKeeper {
        private let file: CacheFile
        private let settings: EtcdSettings
        private let diagnostics: PrefsDiagnostics
        /// The time for the next write; `nil` if nothing has changed.
        private(set) var deadline: ContinuousClock.Instant?
        private var isFailing = false

        /// Changes within this time are written together.
        private static let delay = Duration.seconds(1)

        init?(settings: EtcdSettings, diagnostics: PrefsDiagnostics) {
            guard let file = settings.cacheFile else { return nil }
            (self.file, self.settings, self.diagnostics) = (file, settings, diagnostics)
        }

        func noteChange() { deadline = deadline ?? .now.advanced(by: Self.delay) }

        func saveIfDue(_ mirror: () -> EtcdMirror) {
            guard let deadline, deadline <= .now else { return }
            save(mirror())
        }

        /// Writes what has changed, whatever the time.
        func saveAll(_ mirror: () -> EtcdMirror) { if deadline != nil { save(mirror()) } }

        private func save(_ mirror: EtcdMirror) {
            deadline = nil
            let items = mirror.items.values.filter { item in
                let (role, mapping) = settings.role(of: item.key)
                guard role != .lock, case .success(let name) = mapping.name(of: item.key) else { return true }
                return settings.cache.mayContain(name)
            }
            do throws(PrefsError) {
                let contents = CacheFile.Contents(
                    items: items.sorted { $0.key.lexicographicallyPrecedes($1.key) }, header: mirror.header,
                    time: Int64(Date.now.timeIntervalSince1970))
                try file.write(contents)
                if isFailing {
                    isFailing = false
                    diagnostics.report(
                        .recovered,
                        PrefsError(
                            .unwritable, origin: PrefsOrigin(file: file.path),
                            reason: "the cached contents could be written again"))
                }
            } catch {
                noteChange()
                if !isFailing { diagnostics.report(.warning, error) }
                isFailing = true
            }
        }
    }
#endif
