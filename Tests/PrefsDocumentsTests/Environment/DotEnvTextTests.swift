import Testing

@testable import PrefsDocuments

@Suite struct DotEnvTextTests {
    @Test(arguments: [
        ("A=b", "b"), ("A = b ", "b"), ("\tA=b\t# note", "b"), ("A=b#c", "b#c"), ("A=#c", ""), ("A=", ""),
        ("export A=b", "b"), ("export\tA='b'", "b"), ("A=a b  c", "a b  c"), ("A=\\n", "\\n"),
        ("A='a \"$b\" $(c) `d` \\n'", "a \"$b\" $(c) `d` \\n"), ("A='a\nb'", "a\nb"), ("A='a' # b", "a"),
        (#"A="a\tb\nc\r\\\"\$x\`\d""#, "a\tb\nc\r\\\"$x`\\d"), ("A=\"a\\\nb\"", "ab"), ("A=\"a\nb\"", "a\nb"),
        ("A=\"a\\\r\nb\"\r\n", "ab"), ("A=$", "$"), ("A=a$5", "a$5"), ("A=$$", "$$"), ("A=\"\"", ""),
        ("\u{FEFF}A=ü", "ü"), ("A=1\nA=2", "2"), ("export=1\nA=x", "x"), ("A=b=c", "b=c"), ("A=it's", "it's"),
        ("A=b\r\n# c\r\n", "b"), ("#c\n\n \nA=b", "b"), ("A='\n#'", "\n#"),
    ])
    func `a line sets its variable`(_ text: String, _ value: String) {
        let parsed = DotEnvText(parsing: Array(text.utf8))
        #expect(parsed.problems.isEmpty)
        #expect(parsed.variables["A"]?.text == value)
    }

    @Test(arguments: [
        ("A", "1:2: line not used: expected = after the name, found the end of the line"),
        ("1A=b", "1:1: line not used: expected a variable's name (letters, digits, _), found a digit"),
        ("A-B=c", "1:2: line not used: expected = after the name, found “-”"),
        (
            "export ",
            "1:8: line not used: expected a variable's name (letters, digits, _), found the end of the line"
        ),
        ("export A", "1:9: line not used: expected = after the name, found the end of the line"),
        ("A='b", "1:3: line not used: the quotation mark ' is not closed"),
        ("A=\"b\\\"", "1:3: line not used: the quotation mark \" is not closed"),
        ("A='b'c", "1:6: line not used: expected the end of the line after the quoted value, found a letter"),
        ("A='b'#c", "1:6: line not used: expected the end of the line after the quoted value, found “#”"),
        ("A=$B", "1:3: line not used: variables are not expanded; quote $ with '…'"),
        ("A=a ${B}", "1:5: line not used: variables are not expanded; quote $ with '…'"),
        ("A=\"x\n$(rm -rf /)\"", "2:1: line not used: commands are not run; quote $( with '…'"),
        ("A=`id`", "1:3: line not used: commands are not run; quote ` with '…'"),
        ("A=a\u{0}b", "1:3: line not used: the value contains a NUL character"),
    ])
    func `a rejected line has a place and a reason, and the others are used`(
        _ text: String, _ problem: String
    ) {
        let parsed = DotEnvText(parsing: Array("\(text)\nZ=z\n".utf8), path: "/f")
        #expect(parsed.problems.map(\.description) == ["/f:\(problem)"])
        #expect(parsed.variables.mapValues(\.text) == ["Z": "z"])
    }

    @Test func `invalid UTF-8 rejects its line`() {
        let parsed = DotEnvText(parsing: Array("A=".utf8) + [0xFF] + Array("\nB=b".utf8))
        #expect(parsed.problems.map(\.origin?.position) == [.line(1, column: 3)])
        #expect(parsed.variables == ["B": DotEnvText.Variable(text: "b", position: .line(2, column: 1))])
    }

    @Test func `the number of problems is limited`() {
        let parsed = DotEnvText(parsing: Array(String(repeating: "?\n", count: 5000).utf8))
        #expect(parsed.problems.count == DotEnvText.problemLimit + 1)
        #expect(parsed.problems.last?.reason == "\(5000 - DotEnvText.problemLimit) more lines are not used")
    }

    @Test func `every prefix and mutation of a file is read without a trap`() {
        let text = Array("export A='a\nb' # c\nB=\"x\\n\\\r\n$\" \nC=d$(e)\n\u{FEFF}D=ü`\r\r\n=\n".utf8)
        for end in text.indices {
            _ = DotEnvText(parsing: Array(text[..<end]))
            for byte: UInt8 in [0, 0x22, 0x27, 0x5C, 0x0A, 0x0D, 0x24, 0x3D, 0xFF, 0x20] {
                var changed = text
                changed[end] = byte
                let parsed = DotEnvText(parsing: changed)
                #expect(parsed.problems.allSatisfy { $0.origin?.position != nil })
            }
        }
    }
}
