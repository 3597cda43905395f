import Foundation
import PrefsKitCompatibility

func checkQuickStart() {
    let prefs = QuickStart()
    expect(prefs.foo, is: nil)
    expect(prefs.bar, is: 123)
    expect(prefs.bool, is: false)
    expect(prefs.stringArray, is: nil)
    expect(prefs.intDictionary, is: nil)
    expect(isNotified(of: { _ = prefs.foo }, by: { prefs.foo = "x" }))
    prefs.bar += 1
    prefs.bool.toggle()
    prefs.stringArray = ["a"]
    prefs.intDictionary = ["a": 1]
    let again = QuickStart()
    expect(again.foo, is: "x")
    expect(again.bar, is: 124)
    expect(again.bool, is: true)
    expect(again.stringArray, is: ["a"])
    expect(again.intDictionary, is: ["a": 1])
    expect(UserDefaults.standard.string(forKey: "foo"), is: "x")
}

func checkValueTypes() {
    let prefs = ValueTypes()
    expect(prefs.x1, is: "")
    expect(prefs.x2, is: true)
    expect(prefs.x10.isEmpty)
    prefs.x1 = "text"
    prefs.x2 = false
    prefs.x3 = .max
    prefs.x4 = 0.1
    prefs.x5 = 0.1
    prefs.x6 = Data([1, 2])
    prefs.x7 = Date(timeIntervalSinceReferenceDate: 1)
    prefs.x8 = [1, 2]
    prefs.x9 = ["a": 1]
    prefs.x10 = [1, "a", [true]]
    prefs.x11 = ["a": 1.5, "b": ["c": Data([3])]]
    let stored: [String: PrefsValue] = [
        "x1": "text", "x2": false, "x3": .integer(Int128(Int.max)), "x4": 0.1, "x6": .data(Data([1, 2])),
        "x7": .date(Date(timeIntervalSinceReferenceDate: 1)), "x8": [1, 2], "x9": ["a": 1],
        "x10": [1, "a", [true]], "x11": ["a": 1.5, "b": ["c": .data(Data([3]))]],
    ]
    for (key, value) in stored { expect(prefs.storage.snapshot[key], is: value) }
    expect(prefs.x5, is: 0.1)
    expect(prefs.x7, is: Date(timeIntervalSinceReferenceDate: 1))
    expect(prefs.x8, is: [1, 2])
    expect(prefs.x10[1] as? String, is: "a")
    expect((prefs.x11["b"] as? [String: Any])?["c"] as? Data, is: Data([3]))
}

func checkFruitArray() {
    let prefs = FruitArray()
    prefs.fruit = [.apple, .orange]
    expect(prefs.storage.snapshot["fruit"], is: ["apple", "orange"])
    expect(prefs.fruit, is: [.apple, .orange])
}

func checkFruitDictionary() {
    let prefs = FruitDictionary()
    prefs.fruit = ["a": .banana]
    expect(prefs.storage.snapshot["fruit"], is: ["a": "banana"])
    expect(prefs.fruit, is: ["a": .banana])
}

private let devices = [Device(name: "a", manufacturer: "b"), Device(name: "c", manufacturer: "d")]

/// "option #1: collection stored in storage as an array of encoded Data or String elements"; "option #2: … as
/// a single encoded Data blob or String".
func checkDeviceArrays() {
    let elements = DeviceArrays()
    elements.device = devices
    elements.device2 = devices
    for (key, kind) in [("device", PrefsValue.Kind.data), ("device2", .string)] {
        guard case .array(let stored)? = elements.storage.snapshot[key] else { return expect(false) }
        expect(stored.map(\.kind), is: [kind, kind])
        expect(stored.map { decoded($0)?.name }, is: ["a", "c"])
    }
    expect(elements.device?.map(\.name), is: ["a", "c"])
    expect(elements.device2?.map(\.manufacturer), is: ["b", "d"])
    let whole = DeviceArrays2()
    whole.device3 = devices
    whole.device4 = devices
    expect(whole.storage.snapshot["device3"]?.kind, is: .data)
    expect(whole.storage.snapshot["device4"]?.kind, is: .string)
    expect(whole.device3?.map(\.name), is: ["a", "c"])
    expect(whole.device4?.map(\.manufacturer), is: ["b", "d"])
}

func checkDeviceDictionaries() {
    let prefs = DeviceDictionaries()
    prefs.device = ["x": devices[0]]
    prefs.device2 = ["y": devices[1]]
    expect(prefs.storage.snapshot["device"]?.dictionary?["x"]?.kind, is: .data)
    expect(prefs.storage.snapshot["device2"]?.dictionary?["y"]?.kind, is: .string)
    expect(prefs.device?["x"]?.name, is: "a")
    expect(prefs.device2?["y"]?.manufacturer, is: "d")
}

func checkMixedCollections() {
    let prefs = MixedCollections()
    expect(prefs.array == nil && prefs.dict == nil)
    expect(prefs.defaultedArray.count, is: 3)
    expect(prefs.defaultedDict["bar"] as? Int, is: 123)
    expect(isNotified(of: { _ = prefs.array }, by: { prefs.array = ["x", 1, false, 1.5, ["y": 2]] }))
    expect(prefs.storage.snapshot["array"], is: ["x", 1, false, 1.5, ["y": 2]])
    expect(prefs.array?[1] as? Int, is: 1)
    prefs.dict = ["a": [1, "b"]]
    expect(prefs.storage.snapshot["dict"], is: ["a": [1, "b"]])
    prefs.defaultedArray.append("more")
    expect(prefs.defaultedArray.count, is: 4)
    // "any type may be accommodated", but such preferences cannot "still be serialized later".
    let object = NSObject()
    prefs.array = [object, Float(0.1)]
    expect(prefs.array?.first as? NSObject === object)
    expect(prefs.array?.last is Float)
    do {
        _ = try prefs.storage.exportData(format: .plist())
        expect(false)
    } catch {
        expect("\(error)".contains("array"))
    }
}
