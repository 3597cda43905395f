/// The topmost values of the keys read so far, in one generation.
///
/// Immutable. A thread that holds a table reads from it without counting a reference. The next table shares all
/// chunks with it, except chunks that differ.
final class TopValueTable: Sendable {
    /// The values of consecutive name numbers.
    private final class Chunk: Sendable {
        static let size = 64

        let values: [TopValue]

        init(_ values: [TopValue]) { self.values = values }

        static let unknown = Chunk(Array(repeating: .unknown, count: size))
    }

    let generation: UInt64
    let names: NameIndex
    private let chunks: [Chunk]

    /// Creates a table without names.
    convenience init(generation: UInt64) {
        self.init(generation: generation, names: NameIndex(capacity: Chunk.size), chunks: [])
    }

    private init(generation: UInt64, names: NameIndex, chunks: [Chunk]) {
        self.generation = generation
        self.names = names
        self.chunks = chunks
    }

    /// Returns the topmost value of a lookup.
    func value(of lookup: ValueLookup) -> TopValue {
        names.number(of: lookup).map { self[$0] } ?? .unknown
    }

    subscript(number: Int) -> TopValue {
        let chunk = number / Chunk.size
        return chunk < chunks.count ? chunks[chunk].values[number % Chunk.size] : .unknown
    }

    /// Returns the table with one more known value.
    ///
    /// - Parameter grown: The larger index, if the names moved to one.
    func learning(_ value: TopValue, for number: Int, names grown: NameIndex? = nil) -> TopValueTable {
        let chunks = Self.setting(value, at: [number], in: chunks)
        return TopValueTable(generation: generation, names: grown ?? names, chunks: chunks)
    }

    /// Returns the table for another generation. Some of its values must be looked up again.
    func forgetting(_ numbers: some Sequence<Int>, generation: UInt64) -> TopValueTable {
        TopValueTable(
            generation: generation, names: names, chunks: Self.setting(.unknown, at: numbers, in: chunks))
    }

    private static func setting(
        _ value: TopValue, at numbers: some Sequence<Int>, in chunks: [Chunk]
    ) -> [Chunk] {
        var chunks = chunks
        for number in numbers {
            let index = number / Chunk.size
            while chunks.count <= index { chunks.append(.unknown) }
            var values = chunks[index].values
            values[number % Chunk.size] = value
            chunks[index] = Chunk(values)
        }
        return chunks
    }
}
