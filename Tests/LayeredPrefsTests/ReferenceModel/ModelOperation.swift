/// One thing that happens to a stack.
indirect enum ModelOperation: Sendable, Hashable {
    /// The program starts, or starts again: the environment and arguments are read "once, at start", a broken
    /// file "is an empty layer", what was held in memory is gone. Strings by canonical key.
    case restart(defaults: [String: ModelValue], environment: [String: String], arguments: [String: String])

    // What anybody does to files.
    case writeFile(ModelPlace, [String: ModelValue])
    case breakFile(ModelPlace, version: Int)
    case deleteFile(ModelPlace)
    case touchFile(ModelPlace)
    /// A link to `/dev/null` among the drop-ins.
    case maskDropIn(ModelPlace)
    case writeLocks(ModelPlace, lines: [String])
    case breakLocks(ModelPlace, version: Int)
    case deleteLocks(ModelPlace)
    /// Edits that nobody waits between.
    case burst([ModelOperation])

    // What the program does.
    case write(ModelWrite)
    case transaction([ModelWrite], writesOthers: Bool)
    /// A lock made in code, and its end.
    case raiseLock(ModelPath, layer: String)
    case lowerLock(ModelPath, layer: String)
}

extension ModelOperation {
    /// What kind of operation it is, so that a generator can be told to leave some out.
    enum Kind: String, Sendable, Hashable, CaseIterable {
        case restart, writeFile, breakFile, deleteFile, touchFile, maskDropIn, writeLocks, breakLocks
        case deleteLocks, burst, write, transaction, raiseLock, lowerLock
    }

    var kind: Kind {
        switch self {
        case .restart: .restart
        case .writeFile: .writeFile
        case .breakFile: .breakFile
        case .deleteFile: .deleteFile
        case .touchFile: .touchFile
        case .maskDropIn: .maskDropIn
        case .writeLocks: .writeLocks
        case .breakLocks: .breakLocks
        case .deleteLocks: .deleteLocks
        case .burst: .burst
        case .write: .write
        case .transaction: .transaction
        case .raiseLock: .raiseLock
        case .lowerLock: .lowerLock
        }
    }
}

extension ModelOperation: CustomStringConvertible {
    /// Swift source for the operation, to be pasted into a test.
    var description: String {
        switch self {
        case .restart(let defaults, let environment, let arguments):
            ".restart(defaults: \(defaults.modelSource), environment: \(environment.modelSource), "
                + "arguments: \(arguments.modelSource))"
        case .writeFile(let place, let contents): ".writeFile(\(place), \(contents.modelSource))"
        case .breakFile(let place, let version): ".breakFile(\(place), version: \(version))"
        case .deleteFile(let place): ".deleteFile(\(place))"
        case .touchFile(let place): ".touchFile(\(place))"
        case .maskDropIn(let place): ".maskDropIn(\(place))"
        case .writeLocks(let place, let lines): ".writeLocks(\(place), lines: \(lines))"
        case .breakLocks(let place, let version): ".breakLocks(\(place), version: \(version))"
        case .deleteLocks(let place): ".deleteLocks(\(place))"
        case .burst(let operations): ".burst([\(operations.map(\.description).joined(separator: ", "))])"
        case .write(let write): ".write(\(write))"
        case .transaction(let writes, let writesOthers):
            ".transaction([\(writes.map(\.description).joined(separator: ", "))], "
                + "writesOthers: \(writesOthers))"
        case .raiseLock(let path, let layer): ".raiseLock(\"\(path)\", layer: \"\(layer)\")"
        case .lowerLock(let path, let layer): ".lowerLock(\"\(path)\", layer: \"\(layer)\")"
        }
    }
}

extension ModelWrite: CustomStringConvertible {
    var description: String {
        let value = value.map(\.description) ?? "nil"
        let layer = layer.map { ", layer: \"\($0)\"" } ?? ""
        return "ModelWrite(path: \"\(path)\", value: \(value)\(layer), isTyped: \(isTyped))"
    }
}

/// A list of operations that can be pasted into a test.
struct ModelHistory: Sendable, Hashable, CustomStringConvertible {
    var operations: [ModelOperation]

    var description: String {
        "ModelHistory(operations: [\n"
            + operations.map { "    \($0),\n" }.joined() + "])"
    }
}
