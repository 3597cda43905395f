import FoundationEssentials
package import PrefsDocuments
import PrefsSystem

/// A file that a program writes for its own next start: private, complete or not there.
///
/// Its first line is the format's name with its version, and its second line the checksum, the size and the time
/// in seconds. The contents follow.
package struct PrefsCacheFile {
    package let path: String
    /// The first line of the file: the format's name and version.
    private let signature: String
    /// The largest accepted size of the file, in bytes.
    private let limit: Int
    /// The name of the file in messages: `the cached contents`.
    private let name: String

    /// The contents, and the time of the write, in seconds since 1970.
    package typealias Contents = (payload: [UInt8], time: Int64)

    package init(path: String, signature: String, limit: Int, name: String) {
        (self.path, self.signature, self.limit, self.name) = (path, signature, limit, name)
    }

    /// Reads the file. Returns `nil` if there is none.
    ///
    /// - Throws: ``PrefsError``: `untrusted` if another user can write to it, `unsupported` if it has another version, or
    ///   `broken` if it is not complete.
    package func read() throws(PrefsError) -> Contents? {
        let file: Descriptor
        do {
            // Opening a pipe must not make the program wait.
            file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error.error(.unreadable, path, "cannot open \(name)")
        }
        let status: stat
        do { status = try file.status() } catch {
            throw error.error(.unreadable, path, "cannot examine \(name)")
        }
        guard status.isRegularFile else {
            throw PrefsError(
                .notARegularFile, origin: origin, reason: "expected a regular file, so \(name) are not used")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw PrefsError(
                .untrusted, origin: origin,
                reason: "\(name) must belong to this user and be private (mode 0600); remove the file")
        }
        guard status.st_size <= limit else {
            throw PrefsError(
                .tooLarge, origin: origin,
                reason: "\(name) have \(status.st_size) bytes, so they are not used; the limit is \(limit)")
        }
        let bytes: [UInt8]
        do { bytes = try Self.contents(of: file, size: Int(status.st_size)) } catch {
            throw error.error(.unreadable, path, "cannot read \(name)")
        }
        guard let contents = decode(bytes) else { throw isOfOtherVersion(bytes) ? otherVersion : damaged }
        return contents
    }

    private var otherVersion: PrefsError {
        PrefsError(
            .unsupported, origin: origin,
            reason: "\(name) were written by another version of this library, so they are not used")
    }

    /// Returns true if the first line has this format's name, but another number.
    private func isOfOtherVersion(_ bytes: [UInt8]) -> Bool {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let name = signature.utf8.prefix { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard line.starts(with: name), !line.elementsEqual(signature.utf8) else { return false }
        return UInt64(String(decoding: line.dropFirst(name.count), as: UTF8.self)) != nil
    }

    /// The error for contents that are not complete.
    package var damaged: PrefsError {
        PrefsError(.broken, origin: origin, reason: "\(name) are damaged, so they are not used")
    }

    private func decode(_ bytes: [UInt8]) -> Contents? {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual(signature.utf8) else { return nil }
        let facts = String(decoding: parts[1], as: UTF8.self).split(separator: " ").map(String.init)
        guard facts.count == 3, let size = Int(facts[1]), let time = Int64(facts[2]), size == parts[2].count,
            facts[0] == String(Self.checksum(parts[2]), radix: 16)
        else { return nil }
        return (Array(parts[2]), time)
    }

    /// Replaces the file durably: a reader finds the old or the new contents. Creates missing folders, readable
    /// only by this user.
    package func write(_ contents: Contents) throws(PrefsError) {
        let payload = contents.payload
        let checksum = String(Self.checksum(payload[...]), radix: 16)
        let head = "\(signature)\n\(checksum) \(payload.count) \(contents.time)\n"
        try? FileManager.default.createDirectory(
            atPath: path.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let temporary = "\(path).\(UInt64.random(in: 0 ... .max))"
        let file: Descriptor
        do {
            file = try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw error.error(.unwritable, path, "cannot create \(name)")
        }
        do throws(Errno) {
            try file.write(Array(head.utf8) + payload)
            try file.synchronize()
            guard unsafe rename(temporary, path) == 0 else { throw Errno.last }
            try Descriptor(opening: path.folder, O_RDONLY | O_DIRECTORY).synchronize()
        } catch {
            _ = unsafe unlink(temporary)
            throw error.error(.unwritable, path, "cannot write \(name)")
        }
        sweep()
    }

    /// The longest time that a write may take, in seconds. The writer of an older temporary file has certainly
    /// ended.
    private static let longestWrite = 600

    /// Removes the temporary files of processes that ended while they were writing.
    private func sweep() {
        let prefix = path.split(separator: "/").last.map { "\($0)." } ?? ""
        let end = Int(Date.now.timeIntervalSince1970) - Self.longestWrite
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path.folder)) ?? []
        for file in files where file.hasPrefix(prefix) && UInt64(file.dropFirst(prefix.count)) != nil {
            let leftover = "\(path.folder)/\(file)"
            guard let status = fileStatus(of: leftover), status.st_mtim.tv_sec < end else { continue }
            _ = unsafe unlink(leftover)
        }
    }

    private static func contents(of file: borrowing Descriptor, size: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < size {
            let chunk = try file.read(atMost: size - bytes.count)
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    private var origin: PrefsOrigin { PrefsOrigin(file: path) }

    /// CRC-64 with the polynomial of ECMA-182, reflected.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        let table = table
        var sum = UInt64.max
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
        return ~sum
    }

    private static let table: [UInt64] = (0..<256 as Range<UInt64>).map { index in
        (0..<8).reduce(index) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0xc96c_5795_d787_0f42 : value >> 1
        }
    }
}
