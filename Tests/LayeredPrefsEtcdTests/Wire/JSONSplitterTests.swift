#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct JSONSplitterTests {
        private let text = #"{"a":"}{\"[\\"}"# + "\n" + #"{"b":[{},{"c":1}]}{"d":2}"# + "\r\n "
        private let objects = [#"{"a":"}{\"[\\"}"#, #"{"b":[{},{"c":1}]}"#, #"{"d":2}"#]

        private func split(_ text: String, piece size: Int, limit: Int = 100) throws -> [String] {
            var splitter = JSONSplitter(limit: limit)
            var (result, rest) = ([String](), Array(text.utf8)[...])
            while !rest.isEmpty {
                result += try splitter.receive(Array(rest.prefix(size))).map {
                    String(decoding: $0, as: UTF8.self)
                }
                rest = rest.dropFirst(size)
            }
            return result
        }

        @Test func `objects are found wherever the pieces end, with and without newlines`() throws {
            for size in 1...text.utf8.count { #expect(try split(text, piece: size) == objects) }
        }

        @Test(arguments: ["x", "{}x", "}", "404 page not found", "{}]"])
        func `text that is no object is malformed`(_ text: String) {
            #expect(throws: MalformedAnswer.self) { try split(text, piece: 100) }
        }

        @Test func `an object without an end is refused at the limit`() {
            #expect(throws: MalformedAnswer.self) {
                try split(#"{"a":""# + String(repeating: "x", count: 200), piece: 10)
            }
        }
    }
#endif
