import CMeasuring
import PrefsDocuments

/// The shapes of large input for Scripts/check complexity, each run between the two marks of which callgrind counts the
/// instructions.
///
/// `SHAPE:SIZE …` runs shapes at a size in bytes and prints a line for each: its argument, and the bytes by which
/// the process's memory grew at the worst moment, and whether the input was rejected. Without arguments, lists the shapes and their limits of memory.
enum Complexity {
    /// The memory that the process had when it was last measured.
    private static nonisolated(unsafe) var peak: Int64?  // Only the main thread touches it.

    /// True if the input is not accepted.
    private static nonisolated(unsafe) var isRejected = false  // Only the main thread touches it.

    /// Marks the input as one that is not accepted, so that only rejecting it was measured.
    static func noteRejection() { isRejected = true }

    /// Measures the memory now: what the rest of the work needs is not counted.
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
                // Such as an edit whose result would have more values than a file may have.
                noteRejection()
            }
            bench_region_end(argument)
            let growth = (peak ?? bench_peak()) - before
            print("\(argument)\t\(growth)" + (isRejected ? "\trejected" : ""))
        }
    }
}
