#if Etcd
    import LayeredPrefs
    import PrefsDocuments
    import PrefsFiles

    extension EtcdPrefsStorage {
        /// The file with the last received contents. A program starts from it while no server answers.
        ///
        /// The file is always replaced as a whole, carries a checksum, and can be read only by its owner.
        public struct Cache: Sendable, Hashable {
            private enum Place: Hashable {
                case none, standard
                case file(String)
            }

            private let place: Place
            /// The keys that are not written to disk.
            private var omitted: [String] = []

            private init(_ place: Place) { self.place = place }

            /// No cache. Without a server, the layer is empty at the start.
            public static let none = Cache(.none)

            /// A file in the standard folder for caches.
            ///
            /// The folder is `$CACHE_DIRECTORY`, which systemd sets for a service with `CacheDirectory=`. Otherwise it
            /// is `LayeredPrefs` within `$XDG_CACHE_HOME` or `~/.cache`. If none of the variables, `HOME` included,
            /// names an absolute path, there is no cache. A set-uid process ignores the variables.
            public static let standard = Cache(.standard)

            /// Returns a cache in a file at a path. Missing folders are created, readable only by this user.
            public static func file(at path: String) -> Cache { Cache(.file(path)) }

            /// Returns a cache that leaves out some keys, such as secrets.
            ///
            /// Everything below these keys is left out, too. If a key above them holds an object, its parts under
            /// these keys are left out.
            ///
            /// - Parameter keys: Names of preferences: `tls.key`.
            public func omitting(_ keys: [String]) -> Cache {
                var cache = self
                cache.omitted += keys
                return cache
            }

            /// Returns the same cache with an absolute path.
            func absolute(_ diagnostics: PrefsDiagnosticHandler) -> Cache {
                guard case .file(let path) = place else { return self }
                return Cache.file(at: diagnostics.absolutePath(of: path)).omitting(omitted)
            }

            /// Returns the file for a client of these endpoints and this prefix; `nil` if there is no cache.
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

            /// Returns the paths of the parts of a key's value that must not be written to disk. An empty path
            /// stands for the whole value.
            func omittedParts(of name: String) -> [ArraySlice<String>] {
                let key = PrefsPath(name).components
                return omitted.map { PrefsPath($0).components }
                    .filter { key.starts(with: $0) || $0.starts(with: key) }.map { $0.dropFirst(key.count) }
            }

            private static var standardFolder: String? {
                let variables = PrefsFileLocations.trustedEnvironment.filter { $0.value.hasPrefix("/") }
                if let folder = variables["CACHE_DIRECTORY"]?.split(separator: ":").first {
                    return String(folder)
                }
                let folder = variables["XDG_CACHE_HOME"] ?? variables["HOME"].map { $0 + "/.cache" }
                return folder.map { $0 + "/LayeredPrefs" }
            }

            /// Returns a file name that is unique for a set of endpoints and a prefix.
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
#endif
