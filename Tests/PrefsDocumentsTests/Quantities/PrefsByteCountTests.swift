import FoundationEssentials
import Testing

import PrefsDocuments

@Suite struct PrefsByteCountTests {
    @Test(
        arguments: [
            ("64 KiB", 65536), ("64KiB", 65536), ("10MB", 10_000_000), ("10 mb", 10_000_000),
            ("1.5 GiB", 1_610_612_736), ("512", 512), ("512 B", 512), ("0", 0), ("1kB", 1000), ("1KB", 1000),
            ("2 TiB", 2 << 40), ("8191 PiB", 8191 << 50), ("0.5 kB", 500),
        ])
    func `a text with a unit is a number of bytes`(text: String, bytes: Int) {
        #expect(PrefsByteCount(text)?.bytes == bytes)
    }

    @Test(arguments: [
        "", "-1", "-1 kB", "64K", "64 k", "1.3 B", "1.5", "9999 PiB", "1e3", "nan", "KiB", "1 KiB 2", "1 XB",
        "1.KiB",
        "0x10", String(repeating: "9", count: 30),
    ])
    func `anything else is not`(text: String) { #expect(PrefsByteCount(text) == nil) }

    @Test(
        arguments: [
            (0, "0 B"), (1, "1 B"), (65536, "64 KiB"), (10_000_000, "10 MB"), (1500, "1500 B"),
            (3 << 30, "3 GiB"), (1024 * 1000, "1000 KiB"), (.max, "9223372036854775807 B"),
        ] as [(Int, String)])
    func `a number of bytes is written with the largest unit`(bytes: Int, text: String) {
        let count = PrefsByteCount(bytes: bytes)
        #expect(count.description == text)
        #expect(PrefsByteCount(text) == count)
    }

    @Test func `units are multiples`() {
        #expect(PrefsByteCount.kilobytes(2) == .bytes(2000))
        #expect(PrefsByteCount.megabytes(2) == .kilobytes(2000))
        #expect(PrefsByteCount.gigabytes(2) == .megabytes(2000))
        #expect(PrefsByteCount.kibibytes(2) == .bytes(2048))
        #expect(PrefsByteCount.mebibytes(2) == .kibibytes(2048))
        #expect(PrefsByteCount.gibibytes(2) == .mebibytes(2048))
        #expect(PrefsByteCount.kilobytes(1) < .kibibytes(1))
    }

    @Test func `it is coded as a number or as text with a unit`() throws {
        let sizes = [PrefsByteCount.kibibytes(64), .bytes(1500)]
        let json = try JSONEncoder().encode(sizes)
        #expect(String(decoding: json, as: UTF8.self) == #"["64 KiB",1500]"#)
        #expect(try JSONDecoder().decode([PrefsByteCount].self, from: json) == sizes)
        for wrong in ["[-1]", #"["64 K"]"#, "[true]", "[1.5]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([PrefsByteCount].self, from: Data(wrong.utf8))
            }
        }
    }
}
