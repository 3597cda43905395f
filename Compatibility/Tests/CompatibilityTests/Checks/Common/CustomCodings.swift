import Foundation
import PrefsKit

func checkFruitByMacro() throws {
    let prefs = FruitByMacro()
    prefs.fruit = .banana
    expect(prefs.storage.snapshot["fruit"], is: "banana")
    expect(prefs.fruit, is: .banana)
    try prefs.storage.setValue("not a fruit", forKey: "fruit")
    expect(prefs.fruit, is: nil)
}

func checkFruitByCoding() {
    let prefs = FruitByCoding()
    prefs.fruit = .orange
    expect(prefs.storage.snapshot["fruit"], is: "orange")
    expect(prefs.fruit, is: .orange)
}

@PrefsSchema final class ChainedFruit {
    @Storage var storage = .dictionary
    @Pref(coding: Numbered.rawRepresentablePrefsCoding.intAsString) var number: Numbered?
}

enum Numbered: Int { case one = 1, two }

/// "which also allows for chaining of coding strategies".
func checkChainedFruit() {
    let prefs = ChainedFruit()
    prefs.number = .two
    expect(prefs.storage.snapshot["number"], is: "2")
    expect(prefs.number, is: .two)
}

private let device = Device(name: "a", manufacturer: "b")

/// Returns the device that stored JSON represents.
func decoded(_ stored: PrefsValue?) -> Device? {
    switch stored {
    case .data(let data): try? JSONDecoder().decode(Device.self, from: data)
    case .string(let text): try? JSONDecoder().decode(Device.self, from: Data(text.utf8))
    default: nil
    }
}

func checkDeviceByMacro() {
    let prefs = DeviceByMacro()
    prefs.device = device
    prefs.device2 = device
    expect(prefs.storage.snapshot["device"]?.kind, is: .data)
    expect(prefs.storage.snapshot["device2"]?.kind, is: .string)
    expect(decoded(prefs.storage.snapshot["device"])?.name, is: "a")
    expect(decoded(prefs.storage.snapshot["device2"])?.manufacturer, is: "b")
    expect(prefs.device?.manufacturer, is: "b")
    expect(prefs.device2?.name, is: "a")
}

func checkDeviceByCoding() {
    let prefs = DeviceByCoding()
    prefs.device = device
    prefs.device2 = device
    expect(prefs.storage.snapshot["device"]?.kind, is: .data)
    expect(prefs.storage.snapshot["device2"]?.kind, is: .string)
    expect(prefs.device?.manufacturer, is: "b")
    expect(prefs.device2?.name, is: "a")
}

func checkInlineCoding() {
    let prefs = InlineCoding()
    prefs.foo = MyType(value: "x")
    expect(prefs.storage.snapshot["foo"], is: "x")
    expect(prefs.foo?.value, is: "x")
    prefs.storage.setStorageValue(forKey: "foo", to: "")
    expect(prefs.foo?.value, is: nil)
}

func checkCustomCoding() {
    let prefs = CustomCoding()
    prefs.foo = MyType(value: "x")
    prefs.bar = MyType(value: "y")
    expect(prefs.storage.snapshot["foo"], is: .data(Data("x".utf8)))
    expect(prefs.storage.snapshot["bar"], is: .data(Data("y".utf8)))
    expect(prefs.foo?.value, is: "x")
    expect(prefs.bar?.value, is: "y")
}

/// "first encoded to its data representation, then compressed, then encoded to a base-64 encoded `String`".
func checkComposed() {
    let prefs = Composed()
    prefs.foo = Content(id: 1, content: String(repeating: "x", count: 1000))
    guard case .string(let text)? = prefs.storage.snapshot["foo"], let data = Data(base64Encoded: text) else {
        return expect(false)
    }
    expect(data.starts(with: "bvx".utf8))
    expect(data.suffix(4), is: Data("bvx$".utf8))
    expect(data.count < 200)
    expect(prefs.foo?.id, is: 1)
    expect(prefs.foo?.content.count, is: 1000)
}
