import Testing

@testable import LayeredPrefs

@Suite struct PrefsAnswerTests {
    private var port: PersistentKey<Int> {
        PersistentKey("http.port", defaultValue: 8080, in: 1...65535)
    }

    @Test func `the first acceptable candidate wins`() {
        let answer = port.resolve(candidates: [PrefsCandidate(80), PrefsCandidate(443)])
        #expect(answer.value == 80)
        #expect(answer.winner == 0)
        #expect(answer.rejections.isEmpty)
    }

    @Test func `the default is effective without candidates`() {
        let answer = port.resolve(candidates: [])
        #expect(answer.value == 8080)
        #expect(answer.winner == nil)
    }

    @Test func `rejected candidates are reported and skipped`() {
        let user = PrefsOrigin(layer: "user", file: "/home/ada/myd.plist", position: .line(12, column: 5))
        let answer = port.resolve(candidates: [
            PrefsCandidate("many", origin: user), PrefsCandidate(70000), PrefsCandidate(443),
        ])
        #expect(answer.value == 443)
        #expect(answer.winner == 2)
        #expect(answer.rejections.map(\.code) == [.wrongType, .invalid])
        #expect(
            answer.rejections[0].description
                == #"user /home/ada/myd.plist:12:5: http.port: expected an integer, found the string "many""#)
        #expect(answer.rejections[1].reason == "expected 1...65535, found the integer 70000")
    }

    @Test func `the error for a secret does not quote its value`() {
        let key = PersistentKey("token", defaultValue: "", .secret)
        let answer = key.resolve(candidates: [PrefsCandidate(1234)])
        #expect(answer.rejections[0].reason == "expected a string, found an integer")
    }

    @Test func `text is parsed by the type of the key`() {
        #expect(port.resolve(candidates: [PrefsCandidate("90", isText: true)]).value == 90)
        #expect(port.resolve(candidates: [PrefsCandidate("90")]).value == 8080)
        #expect(port.resolve(candidates: [PrefsCandidate("ninety", isText: true)]).rejections.count == 1)
        let optional = PersistentKey<Int?>("port", defaultValue: nil)
        #expect(optional.resolve(candidates: [PrefsCandidate("90", isText: true)]).value == 90)
    }

    @Test func `a candidate may already be rejected`() {
        let error = PrefsError(.wrongType, key: "http", reason: "expected a dictionary, found a string")
        let answer = port.resolve(candidates: [PrefsCandidate("x", rejection: error), PrefsCandidate(1)])
        #expect(answer.value == 1)
        #expect(answer.rejections == [error])
    }
}
