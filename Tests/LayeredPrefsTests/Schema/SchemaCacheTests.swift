import LayeredPrefs
import Testing

/// The per-thread caches of a schema, with values that run their own code when they are decoded or released.
@Suite struct SchemaCacheTests {
    @Test func `a coding may read other preferences while it decodes`() {
        let prefs = EchoPrefs()
        for round in 1...100 {
            EchoPrefs.others.text = "other \(round)"
            prefs.joined = Joined(own: "own \(round)")
            #expect(prefs.joined.text == "own \(round), other \(round)")
            #expect(prefs.joined.text == "own \(round), other \(round)")
        }
    }

    @Test func `a value may read preferences while it is deinitialized`() async {
        let prefs = EchoPrefs()
        await withTaskGroup { group in
            group.addTask {
                for round in 1...5000 {
                    prefs.echo = Echo("a text that does not fit into sixteen bytes: \(round)")
                    EchoPrefs.watched.text = "a text that does not fit into sixteen bytes: \(round)"
                }
            }
            for _ in 0..<3 {
                group.addTask { for _ in 1...10_000 { #expect(isWhole(prefs.echo.text)) } }
            }
        }
        #expect(prefs.echo.text.hasSuffix(" 5000"))
    }

    @Test func `a task that moves between threads reads complete values`() async {
        let prefs = StressPrefs()
        await withTaskGroup { group in
            group.addTask {
                for round in 1...5000 {
                    prefs.text = "a text that does not fit into sixteen bytes: \(round)"
                    prefs.list = ["\(round)", "a text that does not fit into sixteen bytes: \(round)"]
                    await Task.yield()
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    for _ in 1...2000 {
                        var both = isWhole(prefs.text)
                        await Task.yield()
                        both = both && isWhole(prefs.text) && isWhole(prefs.list.last ?? "start")
                        #expect(both)
                    }
                }
            }
        }
    }

    @Test func `more schemas than fit into a thread cache all read correctly`() {
        let all = (0..<3000).map { number in
            let prefs = StressPrefs()
            prefs.text = "\(number)"
            prefs.list = ["\(number)"]
            return prefs
        }
        for _ in 0..<3 {
            for (number, prefs) in all.enumerated() {
                let isRight = prefs.text == "\(number)" && prefs.list == ["\(number)"]
                #expect(isRight)
            }
        }
    }
}

private func isWhole(_ text: String) -> Bool {
    text == "start" || text.hasPrefix("a text that does not fit into sixteen bytes: ")
}

@PrefsSchema final class EchoPrefs {
    static let others = StressPrefs()
    static let watched = StressPrefs()

    @Storage var storage = .dictionary

    @Pref(encode: { $0.text }, decode: { Echo($0) }) var echo: Echo = Echo("start")
    @Pref(encode: { $0.own }, decode: { Joined(own: $0) }) var joined: Joined = Joined(own: "")
}

/// An object that reads preferences in its deinitializer.
final class Echo: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    deinit { if !isWhole(EchoPrefs.watched.text) { Issue.record("read the value of another property") } }
}

/// A value that reads preferences while it is decoded.
struct Joined: Sendable, Equatable {
    let own: String
    let text: String

    init(own: String) {
        self.own = own
        text = "\(own), \(EchoPrefs.others.text)"
    }
}
