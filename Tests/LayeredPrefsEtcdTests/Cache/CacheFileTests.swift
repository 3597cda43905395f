#if Etcd
    import Foundation
    import LayeredPrefs
    import TestSupport
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct CacheFileTests {
        private let folder: TemporaryFolder
        private let file: CacheFile
        private let contents = CacheFile.Contents(
            items: [
                EtcdItem(key: [0x61, 0xff], value: [], revision: 3),
                EtcdItem(key: [0x62], value: [0, 10], revision: 9),
            ], header: EtcdHeader(clusterID: .max, revision: 12, raftTerm: 4), time: 1_700_000_000)

        init() throws {
            folder = try TemporaryFolder()
            file = CacheFile(path: folder.path + "/cache")
        }

        @Test func `what is written is read, and only the owner may read it`() throws {
            #expect(try file.read() == nil)
            try file.write(contents)
            #expect(try file.read() == contents)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try file.write(CacheFile.Contents(items: [], header: contents.header, time: 5))
            #expect(try file.read()?.items.isEmpty == true)
            #expect(folder.names == ["cache"])
        }

        @Test func `every truncated or changed file is rejected`() throws {
            try file.write(contents)
            let bytes = try folder.read("cache")
            for length in 0..<bytes.count {
                try folder.write(Array(bytes[..<length]), to: "cache")
                #expect(throws: PrefsError.self) { try file.read() }
            }
            for index in bytes.indices where bytes[index] != UInt8(ascii: "1") {
                var changed = bytes
                changed[index] = UInt8(ascii: "1")
                try folder.write(changed, to: "cache")
                let read = try? file.read()
                // The time has no checksum of its own. It only tells the age of the contents.
                #expect(read == nil || read?.items == contents.items, "byte \(index)")
            }
        }

        @Test(arguments: [0o644, 0o660, 0o606])
        func `a file that others can read or write is not trusted`(_ mode: Int) throws {
            try file.write(contents)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            #expect { try file.read() } throws: { ($0 as? PrefsError)?.code == .untrusted }
        }

        @Test func `links, folders and pipes are not followed`() throws {
            try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
            #expect { try file.read() } throws: { ($0 as? PrefsError)?.code == .notARegularFile }
            try FileManager.default.removeItem(atPath: file.path)
            unsafe mkfifo(file.path, 0o600)
            #expect { try file.read() } throws: { ($0 as? PrefsError)?.code == .notARegularFile }
            unsafe unlink(file.path)
            try CacheFile(path: folder.path + "/other").write(contents)
            unsafe symlink("other", file.path)
            #expect { try file.read() } throws: { ($0 as? PrefsError)?.code == .unreadable }
        }

        @Test func `a folder that cannot be created is an error, and leaves nothing behind`() throws {
            try folder.write([], to: "file")
            let file = CacheFile(path: folder.path + "/file/x/cache")
            #expect { try file.write(contents) } throws: { ($0 as? PrefsError)?.code == .unwritable }
            #expect(folder.names == ["file"])
        }

        @Test func `each cluster and prefix has a file of its own`() {
            let cache = EtcdPrefsStorage.Cache.standard
            let paths = [
                cache.file(endpoints: ["a", "b"], prefix: "/p/")?.path,
                cache.file(endpoints: ["b", "a"], prefix: "/p/")?.path,
                cache.file(endpoints: ["c"], prefix: "/p/")?.path,
                cache.file(endpoints: ["a", "b"], prefix: "-p-")?.path,
            ]
            #expect(paths[0] == paths[1] && Set(paths).count == 3)
            #expect(EtcdPrefsStorage.Cache.none.file(endpoints: ["a"], prefix: "/p/") == nil)
        }

        @Test func `the paths of files become absolute`() throws {
            let diagnostics = PrefsDiagnosticHandler { _ in }
            let folder = FileManager.default.currentDirectoryPath
            let cache = EtcdPrefsStorage.Cache.file(at: "cache").omitting(["log"]).absolute(diagnostics)
            #expect(cache.file(endpoints: ["a"], prefix: "/p/")?.path == "\(folder)/cache")
            #expect(!cache.omittedParts(of: "log").isEmpty)
            let tls = EtcdPrefsStorage.TLS(roots: "ca", certificate: nil, key: "/key").absolute(diagnostics)
            #expect(tls == EtcdPrefsStorage.TLS(roots: "\(folder)/ca", key: "/key"))
            let login = EtcdPrefsStorage.Credentials.password(user: "ada", file: "word")
            #expect(login.absolute(diagnostics).passwordFile == "\(folder)/word")
        }

        /// Writes some items as a client whose cache omits `tls.key`. Returns the items in the file.
        private func cached(_ items: [String: String]) throws -> [String: String] {
            let client = EtcdClient(
                settings: EtcdSettings(
                    endpoints: ["http://a"], prefix: "/p", credentials: nil, tls: .init(),
                    cache: .file(at: file.path).omitting(["tls.key"]), timing: .init()),
                diagnostics: PrefsDiagnosticHandler { _ in })
            client.commit { mirror in
                mirror.replace(
                    with: items.map {
                        EtcdItem(key: Array("/p/\($0)".utf8), value: Array($1.utf8), revision: 3)
                    },
                    header: contents.header)
            }
            let keeper = try #require(CacheKeeper(client))
            keeper.noteChange()
            keeper.saveChanges()
            let items = try #require(try file.read()).items
            return Dictionary(
                uniqueKeysWithValues: items.map {
                    (
                        String(decoding: $0.key.dropFirst(3), as: UTF8.self),
                        String(decoding: $0.value, as: UTF8.self)
                    )
                })
        }

        @Test func `what is omitted is not written as a part of an object either`() throws {
            #expect(
                try cached([
                    "tls": #"{"key":"hunter2","min":"1.3"}"#,
                    ".canary/tls": #"{"percent":10,"value":{"key":"hunter2","min":"1.2"}}"#,
                    "http": #"{"key":"kept"}"#, "tls/min": "1.1",
                ]) == [
                    "tls": #"{"min":"1.3"}"#, ".canary/tls": #"{"percent":10,"value":{"min":"1.2"}}"#,
                    "http": #"{"key":"kept"}"#, "tls/min": "1.1",
                ])
            #expect(
                try cached([
                    "tls": #"{"key":{"pem":"hunter2"}}"#, "a": "1", "tls/key/pem": "hunter2",
                    ".canary/tls": #"{"percent":10,"value":{"key":"hunter2"}}"#, ".canary/tls/key": "hunter2",
                ]) == ["a": "1"])
            #expect(try cached(["tls": #"{"key":"hunter2""#, "a": "1"]) == ["a": "1"])
            #expect(try cached(["tls": "off"]) == ["tls": "off"])
        }

        @Test func `after failures the cache is written more and more seldom`() throws {
            try folder.write([], to: "file")
            let client = EtcdClient(
                settings: EtcdSettings(
                    endpoints: ["http://a"], prefix: "/p", credentials: nil, tls: .init(),
                    cache: .file(at: folder.path + "/file/cache"), timing: .init()),
                diagnostics: PrefsDiagnosticHandler { _ in })
            let keeper = try #require(CacheKeeper(client))
            keeper.noteChange()
            for failures in 1...12 {
                let before = ContinuousClock.now
                keeper.saveChanges()
                keeper.noteChange()
                let pause = before.duration(to: try #require(keeper.deadline))
                #expect(pause >= min(.seconds(1 << failures), .seconds(256)), "after \(failures)")
            }
        }

        @Test func `omitted keys include those below them`() {
            let cache = EtcdPrefsStorage.Cache.standard.omitting(["tls.key", "password"])
            for name in ["tls.key", "tls.key.pem", "password"] {
                #expect(cache.omittedParts(of: name) == [[]])
            }
            #expect(cache.omittedParts(of: "tls.keys").isEmpty && cache.omittedParts(of: "tls") == [["key"]])
        }
    }
#endif
