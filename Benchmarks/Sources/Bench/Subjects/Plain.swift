import Observation

/// The reference for `@Pref`: plain stored properties.
@Observable final class Plain: @unchecked Sendable {
    // Sendable: each row writes before it starts the threads that read.
    var int = 1
    var bool = true
    var double = 1.5
    var short = "short"
    var long = "a text that does not fit into sixteen bytes"
    var table = ["one": 1, "two": 2]
    var relay = Relay()

    /// Creates values that the compiler cannot predict. They are on the heap, as in any program.
    init(seed: Int) {
        int = seed
        bool = seed > 0
        double = Double(seed) + 0.5
        short = "short \(seed % 1000)"
        long = "a text that does not fit into sixteen bytes \(seed)"
        table = ["one": 1, "two": seed]
        relay.port = seed
    }
}
