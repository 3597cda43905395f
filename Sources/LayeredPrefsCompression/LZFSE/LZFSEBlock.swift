/// A block of literals, lengths and distances, each entropy-coded with its own tables.
struct LZFSEBlock {
    private var literalCount = 0
    private var matchCount = 0
    private var literalBytes = 0
    private var instructionBytes = 0
    /// The unused bits at the end of the two streams.
    private var literalUnused = 0
    private var instructionUnused = 0
    private var literalStates = [0, 0, 0, 0]
    private var lengthState = 0
    private var matchState = 0
    private var distanceState = 0
    /// The number of states of each symbol, for literal counts, match lengths, distances and literals.
    private var frequencies: [UInt16] = []

    private enum Symbols {
        static let lengths = 0..<20
        static let matches = 20..<40
        static let distances = 40..<104
        static let literals = 104..<360
    }

    private enum ExtraBits {
        static let lengths = Array(repeating: 0, count: 16) + [2, 3, 5, 8]
        static let matches = Array(repeating: 0, count: 16) + [3, 5, 8, 11]
        static let distances = (0..<64).map { $0 / 4 }
    }

    /// Limits of the format; no encoder writes more into one block.
    private static let mostLiterals = 40_000
    private static let mostMatches = 10_000

    /// Reads a header whose tables are not packed (`bvx1`), after its first two fields.
    init(plainTables reader: inout ByteReader) throws(CompressionFailure) {
        _ = try reader.integer(UInt32.self)
        literalCount = Int(try reader.integer(UInt32.self))
        matchCount = Int(try reader.integer(UInt32.self))
        literalBytes = Int(try reader.integer(UInt32.self))
        instructionBytes = Int(try reader.integer(UInt32.self))
        literalUnused = Int(Int32(bitPattern: try reader.integer()))
        for index in 0..<4 { literalStates[index] = Int(try reader.integer(UInt16.self)) }
        instructionUnused = Int(Int32(bitPattern: try reader.integer()))
        lengthState = Int(try reader.integer(UInt16.self))
        matchState = Int(try reader.integer(UInt16.self))
        distanceState = Int(try reader.integer(UInt16.self))
        for _ in 0..<Symbols.literals.upperBound { frequencies.append(try reader.integer(UInt16.self)) }
        try reader.skip(2)  // padding to a multiple of four
    }

    /// Reads a header whose tables are packed (`bvx2`), after its first two fields.
    init(packedTables reader: inout ByteReader) throws(CompressionFailure) {
        let start = reader.position - 8
        var fields = PackedFields(try reader.integer())
        literalCount = fields.take(20)
        literalBytes = fields.take(20)
        matchCount = fields.take(20)
        literalUnused = fields.take(3) - 7
        fields = PackedFields(try reader.integer())
        for index in 0..<4 { literalStates[index] = fields.take(10) }
        instructionBytes = fields.take(20)
        instructionUnused = fields.take(3) - 7
        fields = PackedFields(try reader.integer())
        let headerSize = fields.take(32)
        lengthState = fields.take(10)
        matchState = fields.take(10)
        distanceState = fields.take(10)
        let tables = try reader.slice(headerSize - (reader.position - start))
        frequencies = try PackedFrequencies.decode(tables, count: Symbols.literals.upperBound)
    }

    /// Appends the decoded contents of the block.
    func decode(
        _ reader: inout ByteReader, into output: inout [UInt8], limit: Int
    ) throws(CompressionFailure) {
        guard literalCount <= Self.mostLiterals, matchCount <= Self.mostMatches else { throw .malformed }
        let literals = try decodeLiterals(reader.slice(literalBytes))
        try run(reader.slice(instructionBytes), literals, into: &output, limit: limit)
    }

    /// Four states alternate, so that a processor can decode four literals at once.
    private func decodeLiterals(_ payload: ArraySlice<UInt8>) throws(CompressionFailure) -> [UInt8] {
        let decoder = try FSEDecoder(states: 1024, frequencies: frequencies[Symbols.literals])
        var bits = try BackwardBits(payload, unused: literalUnused)
        var states = literalStates
        guard states.allSatisfy(decoder.accepts) else { throw .malformed }
        var literals: [UInt8] = []
        literals.reserveCapacity(literalCount)
        for index in 0..<literalCount {
            literals.append(UInt8(try decoder.decode(&states[index & 3], &bits)))
        }
        return literals
    }

    private func run(
        _ payload: ArraySlice<UInt8>, _ literals: [UInt8], into output: inout [UInt8], limit: Int
    ) throws(CompressionFailure) {
        let lengths = try FSEDecoder(
            states: 64, frequencies: frequencies[Symbols.lengths], extraBits: ExtraBits.lengths)
        let matches = try FSEDecoder(
            states: 64, frequencies: frequencies[Symbols.matches], extraBits: ExtraBits.matches)
        let distances = try FSEDecoder(
            states: 256, frequencies: frequencies[Symbols.distances], extraBits: ExtraBits.distances)
        var (lengthState, matchState, distanceState) = (lengthState, matchState, distanceState)
        guard lengths.accepts(lengthState), matches.accepts(matchState), distances.accepts(distanceState)
        else {
            throw .malformed
        }
        var bits = try BackwardBits(payload, unused: instructionUnused)
        var (used, distance) = (0, 0)
        for _ in 0..<matchCount {
            let length = try lengths.decode(&lengthState, &bits)
            let match = try matches.decode(&matchState, &bits)
            let next = try distances.decode(&distanceState, &bits)
            // Zero means the previous distance.
            if next != 0 { distance = next }
            guard used + length <= literals.count else { throw .malformed }
            try output.appendLiterals(literals[used..<used + length], limit: limit)
            used += length
            if match > 0 { try output.copyMatch(length: match, distance: distance, limit: limit) }
        }
    }
}

/// A word of several bit fields, from the lowest bit up.
private struct PackedFields {
    private var bits: UInt64

    init(_ bits: UInt64) { self.bits = bits }

    mutating func take(_ count: UInt64) -> Int {
        defer { bits >>= count }
        return Int(bits & (1 << count - 1))
    }
}
