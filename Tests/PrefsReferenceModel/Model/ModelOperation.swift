/// An event in the life of a stack.
indirect enum ModelOperation: Sendable, Hashable {
    /// Starts or restarts the program. Environment and arguments are read once, at the start; a broken file
    /// is an empty layer; values held in memory are gone. All three dictionaries are by canonical key.
    case restart(defaults: [String: ModelValue], environment: [String: String], arguments: [String: String])

    // Edits of files by any process.
    case writeFile(ModelPlace, [String: ModelValue])
    case breakFile(ModelPlace, version: Int)
    case deleteFile(ModelPlace)
    case touchFile(ModelPlace)
    /// A link to `/dev/null` among the drop-ins.
    case maskDropIn(ModelPlace)
    case writeLocks(ModelPlace, lines: [String])
    case breakLocks(ModelPlace, version: Int)
    case deleteLocks(ModelPlace)
    /// Edits without a pause between them.
    case burst([ModelOperation])

    // Calls by the program.
    case write(ModelWrite)
    case transaction([ModelWrite], writesOthers: Bool)
    /// Locks a path in code, and unlocks it.
    case raiseLock(ModelPath, layer: String)
    case lowerLock(ModelPath, layer: String)
}

extension ModelOperation {
    /// The kind of an operation, so that a generator can leave some out.
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
    /// Swift source for the operation, ready to paste into a test.
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

/// A trace: a list of operations that can be pasted into a test.
struct ModelTrace: Sendable, Hashable, CustomStringConvertible {
    var operations: [ModelOperation]

    /// The trace with the last start repeated after every edit of a file.
    var startingAfterEdits: ModelTrace {
        var (operations, start): ([ModelOperation], ModelOperation?) = ([], nil)
        for operation in self.operations {
            operations.append(operation)
            switch operation {
            case .restart: start = operation
            case .writeFile, .breakFile, .deleteFile, .maskDropIn, .burst:
                operations += [start].compactMap(\.self)
            default: break
            }
        }
        return ModelTrace(operations: operations)
    }

    var description: String {
        "ModelTrace(operations: [\n"
            + operations.map { "    \($0),\n" }.joined() + "])"
    }
}
