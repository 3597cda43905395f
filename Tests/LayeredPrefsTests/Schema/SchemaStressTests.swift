import TestSupport
import Foundation
import LayeredPrefs
import Observation
import Testing

@PrefsSchema final class StressPrefs {
    @Storage var storage = .dictionary

    @Pref var number: Int = 0
    @Pref var optional: Int?
    @Pref var text: String = "start"
    @Pref var list: [String] = []
}

/// Reads and writes at full speed by several threads. Run it under ThreadSanitizer, too, which does not
/// detect every error that occurs here.
@Suite struct SchemaStressTests {
    @Test func `readers see only complete values in order`() async {
        let prefs = StressPrefs()
        let rounds = 20_000
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for round in 1...rounds {
                    prefs.number = round
                    prefs.optional = round.isMultiple(of: 2) ? round : nil
                    prefs.text = "a text that does not fit into sixteen bytes: \(round)"
                    prefs.list = ["\(round)", "another rather long text, numbered \(round)"]
                }
                return true
            }
            for _ in 0..<3 {
                group.addTask {
                    var last = 0
                    for _ in 0..<rounds * 2 {
                        let number = prefs.number
                        guard number >= last else { return false }
                        last = number
                        guard Self.isWhole(prefs.text), Self.isWhole(prefs.list) else { return false }
                        if let optional = prefs.optional, !optional.isMultiple(of: 2) { return false }
                    }
                    return true
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(prefs.number == rounds)
    }

    @Test func `the last of several concurrent writes is visible and notifies observers`() async {
        let prefs = StressPrefs()
        let received = Tally()
        for round in 1...2000 {
            withObservationTracking {
                _ = prefs.text
            } onChange: {
                received.add()
            }
            await withTaskGroup { group in
                for writer in 0..<2 { group.addTask { prefs.text = "\(round) by \(writer)" } }
            }
            #expect(prefs.text.hasPrefix("\(round) by"))
        }
        // Two concurrent writers may both find the tracker before Observation removes it.
        #expect(received.count >= 2000)
    }

    @Test func `schemas may be created and released while their storage changes`() async {
        let storage = DictionaryPrefsStorage()
        await withTaskGroup { group in
            group.addTask {
                for round in 0..<5000 { _ = try? storage.setValue(.string("\(round)"), forKey: "text") }
            }
            group.addTask {
                for _ in 0..<500 {
                    let prefs = StressPrefs()
                    prefs.storage = storage
                    for _ in 0..<10 { _ = prefs.text }
                }
            }
        }
    }

    private static func isWhole(_ text: String) -> Bool {
        text == "start" || text.hasPrefix("a text that does not fit into sixteen bytes: ")
    }

    private static func isWhole(_ list: [String]) -> Bool {
        list.isEmpty || list == [list[0], "another rather long text, numbered \(list[0])"]
    }
}
