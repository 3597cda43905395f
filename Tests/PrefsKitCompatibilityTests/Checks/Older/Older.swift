import Foundation
import PrefsKitCompatibility

func checkQuickStart() {
    let prefs = QuickStart()
    expect(prefs.foo, is: nil)
    expect(prefs.bar, is: 123)
    expect(prefs.array, is: nil)
    expect(prefs.dict, is: nil)
    expect(isNotified(of: { _ = prefs.foo }, by: { prefs.foo = "x" }))
    prefs.bar += 1
    prefs.bool.toggle()
    prefs.array = ["a"]
    prefs.dict = ["a": 1]
    let again = QuickStart()
    expect(again.foo, is: "x")
    expect(again.bar, is: 124)
    expect(again.bool, is: true)
    expect(again.array, is: ["a"])
    expect(again.dict, is: ["a": 1])
}

func checkValueTypes() {
    let prefs = ValueTypes()
    prefs.x1 = "text"
    prefs.x8 = [1, 2]
    prefs.x9 = ["a", "b"]
    prefs.x10 = ["a": 1]
    prefs.x11 = ["a": "b"]
    expect(prefs.storage.snapshot["x1"], is: "text")
    expect(prefs.storage.snapshot["x8"], is: [1, 2])
    expect(prefs.x9, is: ["a", "b"])
    expect(prefs.storage.snapshot["x10"], is: ["a": 1])
    expect(prefs.x11, is: ["a": "b"])
}

func checkMixedByStorage() {
    let prefs = MixedByStorage()
    expect(prefs.someArray() == nil && prefs.someDict() == nil)
    prefs.setSomeArray(to: [1, "a", [true]])
    expect(prefs.storage.snapshot["someArray"], is: [1, "a", [true]])
    expect(prefs.someArray()?[1] as? String, is: "a")
    prefs.setSomeDict(to: ["a": 1, "b": Data([1])])
    expect(prefs.someDict()?["b"] as? Data, is: Data([1]))
    prefs.setSomeArray(to: nil)
    expect(prefs.someArray() == nil)
}
