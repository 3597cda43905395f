import Foundation
import PrefsKit

func checkIntegersAsInt() {
    let prefs = IntegersAsInt()
    prefs.foo = 1
    prefs.foo2 = .min
    prefs.foo3 = .max
    prefs.foo4 = .min
    prefs.foo5 = .max
    prefs.foo6 = .min
    prefs.foo7 = .max
    prefs.foo8 = .min
    prefs.foo9 = 9
    let stored = prefs.storage.snapshot
    expect(stored["foo"], is: 1)
    expect(stored["foo2"], is: -128)
    expect(stored["foo3"], is: 255)
    expect(stored["foo4"], is: -32768)
    expect(stored["foo5"], is: 65535)
    expect(stored["foo6"], is: -2_147_483_648)
    expect(stored["foo7"], is: 4_294_967_295)
    expect(prefs.foo8, is: .min)
    expect(prefs.foo9, is: 9)
    // If the value does not fit into an Int, the old value remains, as the tip in the next section says.
    prefs.foo9 = .max
    expect(prefs.foo9, is: 9)
    expect(prefs.storage.snapshot["foo9"], is: 9)
}

func checkIntegersAsString() {
    let prefs = IntegersAsString()
    prefs.foo = -5
    prefs.foo2 = .max
    prefs.foo3 = .min
    prefs.foo4 = .max
    prefs.foo5 = .min
    prefs.foo6 = .max
    prefs.foo7 = .min
    prefs.foo8 = .max
    prefs.foo9 = .min
    prefs.foo10 = .max
    let stored = prefs.storage.snapshot
    expect(stored["foo"], is: "-5")
    expect(stored["foo2"], is: "18446744073709551615")
    expect(stored["foo3"], is: "-128")
    expect(stored["foo10"], is: "18446744073709551615")
    expect(prefs.foo9, is: .min)
    expect(prefs.foo10, is: .max)
}

@PrefsSchema final class WideIntegers {
    @Storage var storage = .dictionary
    @Pref(coding: .int128AsString) var signed: Int128?
    @Pref(coding: .uInt128AsString) var unsigned: UInt128?
}

func checkWideIntegers() {
    let prefs = WideIntegers()
    prefs.signed = .min
    prefs.unsigned = .max
    expect(prefs.storage.snapshot["unsigned"], is: .string("\(UInt128.max)"))
    expect(prefs.signed, is: .min)
    expect(prefs.unsigned, is: .max)
}

func checkBoolAsInt() throws {
    let prefs = BoolAsInt()
    prefs.foo = true
    expect(prefs.storage.snapshot["foo"], is: 1)
    prefs.foo = false
    expect(prefs.storage.snapshot["foo"], is: 0)
    expect(prefs.foo, is: false)
    try prefs.storage.setValue(1, forKey: "foo")
    expect(prefs.foo, is: true)
}

func checkBoolAsString() throws {
    let prefs = BoolAsString()
    prefs.foo = true
    expect(prefs.storage.snapshot["foo"], is: "true")
    try prefs.storage.setValue("FALSE", forKey: "foo")
    expect(prefs.foo, is: false)
}

@PrefsSchema final class BoolsAsStrings {
    @Storage var storage = .dictionary
    @Pref(coding: .boolAsString()) var plain: Bool?
    @Pref(coding: .boolAsString(.trueFalse(.capitalized))) var capitalized: Bool?
    @Pref(coding: .boolAsString(.trueFalse(.uppercase))) var uppercase: Bool?
    @Pref(coding: .boolAsString(.yesNo(.lowercase))) var yes: Bool?
    @Pref(coding: .boolAsString(.yesNo(.uppercase))) var loud: Bool?
    @Pref(coding: .boolAsString(.custom(true: "on", false: "off"))) var custom: Bool?
    @Pref(coding: .boolAsString(.custom(true: "On", false: "Off", caseInsensitive: false))) var exact: Bool?
}

/// "`true`/`false`, `yes`/`no`, or custom strings; capitalized, lowercase or uppercase": the README's
/// examples for the first and the last of the three are swapped.
func checkBoolWords() throws {
    let prefs = BoolsAsStrings()
    (prefs.plain, prefs.capitalized, prefs.uppercase, prefs.yes) = (true, true, false, true)
    (prefs.loud, prefs.custom, prefs.exact) = (false, true, true)
    let words: [(String, PrefsValue)] = [
        ("plain", "true"), ("capitalized", "True"), ("uppercase", "FALSE"), ("yes", "yes"), ("loud", "NO"),
        ("custom", "on"), ("exact", "On"),
    ]
    for (key, word) in words { expect(prefs.storage.snapshot[key], is: word) }
    expect([prefs.plain, prefs.capitalized, prefs.yes, prefs.custom, prefs.exact].allSatisfy { $0 == true })
    expect([prefs.uppercase, prefs.loud].allSatisfy { $0 == false })
    try prefs.storage.setValue("OFF", forKey: "custom")
    expect(prefs.custom, is: false)
    try prefs.storage.setValue("off", forKey: "exact")
    expect(prefs.exact, is: nil)
}

func checkDateAsString() {
    let prefs = DateAsString()
    prefs.date = Date(timeIntervalSince1970: 0)
    expect(prefs.storage.snapshot["date"], is: "1970-01-01T00:00:00Z")
    expect(prefs.date, is: Date(timeIntervalSince1970: 0))
}

func checkURLAsString() {
    let prefs = URLAsString()
    prefs.foo = URL(string: "https://example.com/a?b=c")
    expect(prefs.storage.snapshot["foo"], is: "https://example.com/a?b=c")
    expect(prefs.foo, is: URL(string: "https://example.com/a?b=c"))
}
