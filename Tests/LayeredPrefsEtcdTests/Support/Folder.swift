#if Etcd
    import Foundation

    /// A temporary folder that is removed with this object.
    final class Folder: Sendable {
        let path = NSTemporaryDirectory() + "/etcd-test-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

        func read(_ name: String) -> [UInt8] {
            FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init) ?? []
        }

        func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) {
            _ = FileManager.default.createFile(
                atPath: "\(path)/\(name)", contents: Data(bytes), attributes: [.posixPermissions: mode])
        }
    }
#endif
