import Foundation
import LayeredPrefsCompression
import Testing

@Suite struct CompressionTests {
    private static let samples: [Data] = [
        Data(), Data([7]), Data("abc".utf8), Data(count: 17), Data(count: 100_000),
        CompressionFixtures.text(10),
        CompressionFixtures.text(5000), CompressionFixtures.text(300_000), CompressionFixtures.noise(40_000),
        CompressionFixtures.noise(100) + CompressionFixtures.text(1000) + CompressionFixtures.noise(70_000)
            + CompressionFixtures.text(1000),
    ]

    @Test(arguments: CompressionAlgorithm.allCases, samples)
    func `data survives a round trip`(algorithm: CompressionAlgorithm, data: Data) throws {
        let coding = CompressedDataPrefsCoding(algorithm: algorithm)
        let compressed = try #require(coding.encode(prefsValue: data))
        #expect(coding.decode(prefsValue: compressed) == data)
    }

    @Test(arguments: CompressionAlgorithm.allCases)
    func `repetitive data shrinks`(algorithm: CompressionAlgorithm) throws {
        let coding = CompressedDataPrefsCoding(algorithm: algorithm)
        #expect(try #require(coding.encode(prefsValue: Data(count: 100_000))).count < 1000)
        #expect(try #require(coding.encode(prefsValue: CompressionFixtures.text(20_000))).count < 12_000)
    }

    @Test(arguments: CompressionFixtures.lzfse)
    func `output of the reference encoder is readable`(fixture: CompressionFixtures.Fixture) {
        let coding = CompressedDataPrefsCoding(algorithm: .lzfse)
        #expect(coding.decode(prefsValue: fixture.compressed) == fixture.plain)
    }

    #if Compression
        @Test func `output of other programs is readable`() {
            let rows: [(CompressionAlgorithm, CompressionFixtures.Fixture)] = [
                (.lz4, CompressionFixtures.lz4), (.zlib, CompressionFixtures.zlib),
                (.lzma, CompressionFixtures.lzma),
            ]
            for (algorithm, fixture) in rows {
                let coding = CompressedDataPrefsCoding(algorithm: algorithm)
                #expect(coding.decode(prefsValue: fixture.compressed) == fixture.plain, "\(algorithm)")
            }
        }
    #endif

    @Test(arguments: CompressionAlgorithm.allCases)
    func `data that would exceed the limit is rejected`(algorithm: CompressionAlgorithm) throws {
        let bomb = try #require(
            CompressedDataPrefsCoding(algorithm: algorithm).encode(prefsValue: Data(count: 1 << 20)))
        #expect(
            CompressedDataPrefsCoding(algorithm: algorithm, maximumSize: 1000).decode(prefsValue: bomb) == nil
        )
        #expect(
            CompressedDataPrefsCoding(algorithm: algorithm, maximumSize: 1 << 20).decode(prefsValue: bomb)
                != nil)
        #expect(
            CompressedDataPrefsCoding(algorithm: algorithm, maximumSize: 10).encode(
                prefsValue: Data(count: 11)) == nil)
    }

    @Test(arguments: CompressionAlgorithm.allCases)
    func `damaged data never crashes the decoder`(algorithm: CompressionAlgorithm) throws {
        let coding = CompressedDataPrefsCoding(algorithm: algorithm, maximumSize: 1 << 20)
        let whole = try #require(coding.encode(prefsValue: CompressionFixtures.text(3000)))
        for count in stride(from: 0, to: whole.count, by: 7) {
            #expect(coding.decode(prefsValue: whole.prefix(count)) == nil)
        }
        #expect(coding.decode(prefsValue: whole + Data([0])) == nil)
        damage(whole) { _ = coding.decode(prefsValue: $0) }
    }

    @Test(arguments: CompressionFixtures.lzfse)
    func `damaged entropy-coded data never crashes the decoder`(fixture: CompressionFixtures.Fixture) {
        let coding = CompressedDataPrefsCoding(algorithm: .lzfse, maximumSize: 1 << 20)
        for count in stride(from: 0, to: fixture.compressed.count, by: 13) {
            #expect(coding.decode(prefsValue: fixture.compressed.prefix(count)) == nil)
        }
        damage(fixture.compressed) { _ = coding.decode(prefsValue: $0) }
    }

    /// Changes single bytes, mostly in the headers.
    private func damage(_ data: Data, _ body: (Data) -> Void) {
        let noise = CompressionFixtures.noise(3 * 400)
        for round in 0..<400 {
            var damaged = data
            let span = round.isMultiple(of: 2) ? min(48, data.count) : data.count
            let place = (Int(noise[round]) << 8 | Int(noise[round + 400])) % span
            damaged[damaged.startIndex + place] = noise[round + 800]
            body(damaged)
        }
    }

    /// To compare with the reference implementation, set `LZFSE_PYTHON` to a Python that has pyliblzfse.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["LZFSE_PYTHON"] != nil),
        arguments: samples.dropFirst())
    func `the reference implementation is compatible in both directions`(data: Data) throws {
        let coding = CompressedDataPrefsCoding(algorithm: .lzfse)
        let ours = try #require(coding.encode(prefsValue: data))
        #expect(try python("decompress", ours) == data)
        #expect(coding.decode(prefsValue: try python("compress", data)) == data)
    }

    private func python(_ function: String, _ input: Data) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
        try input.write(to: source)
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: try #require(ProcessInfo.processInfo.environment["LZFSE_PYTHON"]))
        process.arguments = [
            "-c",
            "import liblzfse,sys; open(sys.argv[2],'wb').write(liblzfse.\(function)(open(sys.argv[1],'rb').read()))",
            source.path, target.path,
        ]
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: target)
    }
}
