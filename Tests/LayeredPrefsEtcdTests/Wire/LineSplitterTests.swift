#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct LineSplitterTests {
        private func split(_ text: String, piece size: Int, limit: Int = 100) throws -> [String] {
            var splitter = LineSplitter(limit: limit)
            var (lines, rest) = ([[UInt8]](), Array(text.utf8)[...])
            while !rest.isEmpty {
                lines += try splitter.receive(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            lines += splitter.takeRest()
            return lines.map { String(decoding: $0, as: UTF8.self) }
        }

        @Test func `lines are found wherever the pieces end, and the last needs no end`() throws {
            let text = #"{"a":"}{\"\n"}"# + "\n\n" + #"{"b":1}"# + "\n" + #"{"c":2}"#
            for size in 1...text.utf8.count {
                #expect(try split(text, piece: size) == [#"{"a":"}{\"\n"}"#, #"{"b":1}"#, #"{"c":2}"#])
            }
        }

        @Test func `a line without an end is rejected at the limit`() throws {
            #expect(throws: MalformedAnswer.self) {
                try split(#"{"a":""# + String(repeating: "x", count: 200), piece: 10)
            }
            #expect(try split(String(repeating: "x", count: 100), piece: 10).count == 1)
        }
    }
#endif
