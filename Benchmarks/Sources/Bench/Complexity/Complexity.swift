import CMeasuring
import PrefsDocuments

/// The shapes of large input for Scripts/check complexity. Each runs between two marks, and callgrind counts the
/// instructions between them.
///
/// `SHAPE:SIZE …` runs shapes at a size in bytes. It prints a line for each: the argument, the largest growth of
/// the process's memory in bytes, and whether the input was rejected. Without arguments, it lists the shapes and
/// their memory limits.
enum Complexity {
    /// The memory of the process when it was last measured.
    private static nonisolated(unsafe) var peak: Int64?  // Only the main thread touches it.

    /// True if the input was rejected.
    private static nonisolated(unsafe) var isRejected = false  // Only the main thread touches it.

    /// Marks the input as rejected, so that the result shows that only the rejection was measured.
    static func noteRejection() { isRejected = true }

    /// Measures the memory now, so that the memory of the remaining work does not count.
    static func notePeak() { peak = bench_peak() }

    static func run(_ arguments: [String]) throws {
        guard !arguments.isEmpty else { return Shape.all.forEach { print("\($0.name)\t\($0.memory)") } }
        for argument in arguments {
            let parts = argument.split(separator: ":")
            guard parts.count == 2, let size = Int(parts[1]),
                let shape = Shape.all.first(where: { $0.name == parts[0] })
            else { fatalError("expected SHAPE:SIZE, found \(argument)") }
            let work = try shape.prepare(size)
            let before = bench_reset_peak()
            (peak, isRejected) = (nil, false)
            bench_region_begin(argument)
            do {
                try work()
            } catch let error as PrefsError where error.code == .tooLarge {
                // For example, the result of an edit would have more values than a file may have.
                noteRejection()
            }
            bench_region_end(argument)
            let growth = (peak ?? bench_peak()) - before
            print("\(argument)\t\(growth)" + (isRejected ? "\trejected" : ""))
        }
    }
}
