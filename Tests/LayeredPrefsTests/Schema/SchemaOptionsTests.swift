import Foundation
import LayeredPrefs
import Testing

enum Fruit: String, CaseIterable { case apple, banana, orange }

struct Device: Codable, Equatable {
    var name: String
    var manufacturer: String
}

struct Tag {
    var value: String
    init?(value: String) {
        guard !value.isEmpty else { return nil }
        self.value = value
    }
}

/// A coding without a static type for its stored form.
struct HundredthsCoding: PrefsCoding {
    func encode(_ value: Double) -> PrefsValue? { .integer(Int128((value * 100).rounded())) }

    func decode(_ stored: PrefsValue) -> Double? {
        guard case .integer(let count) = stored else { return nil }
        return Double(count) / 100
    }
}

@PrefsSchema final class OptionPrefs {
    @Storage var storage = .dictionary

    /// The port to listen on.
    ///
    /// Ports below 1024 require a privilege.
    @Pref(in: 1...65535, env: "PORT", formerly: "listenPort", "oldPort") var port: Int = 8080
    @Pref(in: 0..<1) var ratio: Double?
    /** The path of the allow list. */
    @Pref(validate: { (path: String) in path.hasPrefix("/") }, condition: "an absolute path", secret: true)
    var path: String = "/"
    @Pref(
        key: "deep.name", validate: { (list: [String]) in list.count < 3 ? nil : "expected at most two" },
        needsRestart: true)
    var list: [String]?
    @Pref(merge: .deep) var table: [String: Int] = [:]
    @Pref var fruit: Fruit?
    @Pref(key: "best") var best: Fruit = .apple
    @Pref(coding: .jsonData(Device.self)) var device: Device?
    @Pref(coding: .jsonString([Device].self)) var devices: [Device] = []
    @Pref(coding: IntegerPrefsCoding<UInt8>()) var small: UInt8 = 7
    @Pref(coding: HundredthsCoding()) var share: Double = 0.5
    @Pref(coding: .urlString, secret: true) var home: URL?
    @Pref(encode: { $0.value }, decode: { Tag(value: $0) }) var tag: Tag?
    @Pref var mixed: [PrefsValue]?
    @Pref var dictionary: [String: PrefsValue] = ["foo": "string", "bar": 123]
    @Pref var date: Date?
    @Pref var data: Data = Data([1])
    @Pref var float: Float = 1.5
    @Pref var swift: Swift.Optional<Int>
    @Pref public var shown: Bool = false
    @Pref private var hidden: Int = 1

    var hiddenValue: Int { hidden }
}

@Suite struct SchemaOptionsTests {
    let prefs = OptionPrefs()

    private func store(_ value: PrefsValue?, _ key: String) throws {
        try prefs.storage.setValue(value, forKey: key)
    }

    @Test func `a value outside the range counts as absent`() throws {
        try store(70000, "port")
        #expect(prefs.port == 8080)
        prefs.port = 0
        #expect(prefs.storage.snapshot["port"] == 70000)
        prefs.port = 80
        #expect(prefs.port == 80)
        try store(1.0, "ratio")
        #expect(prefs.ratio == nil)
        prefs.ratio = 0.5
        #expect(prefs.ratio == 0.5)
    }

    @Test func `former names are read if the current name is absent`() throws {
        try store(81, "oldPort")
        #expect(prefs.port == 81)
        try store(82, "port")
        #expect(prefs.port == 82)
    }

    @Test func `a value that fails a condition is rejected`() throws {
        prefs.path = "etc"
        #expect(prefs.path == "/")
        prefs.path = "/etc"
        #expect(prefs.path == "/etc")
        prefs.list = ["a", "b", "c"]
        #expect(prefs.list == nil)
        prefs.list = ["a"]
        #expect(prefs.storage.snapshot["deep.name"] == ["a"])
    }

    @Test func `every coding round-trips`() throws {
        prefs.fruit = .banana
        #expect(prefs.fruit == .banana)
        #expect(prefs.storage.snapshot["fruit"] == "banana")
        prefs.best = .orange
        #expect(prefs.best == .orange)
        let device = Device(name: "a", manufacturer: "b")
        prefs.device = device
        #expect(prefs.device == device)
        #expect(prefs.storage.snapshot["device"]?.kind == .data)
        prefs.devices = [device]
        #expect(prefs.devices == [device])
        #expect(prefs.storage.snapshot["devices"]?.kind == .string)
        prefs.small = 255
        #expect(prefs.small == 255)
        prefs.share = 0.25
        #expect(prefs.share == 0.25)
        #expect(prefs.storage.snapshot["share"] == 25)
        prefs.home = URL(string: "http://example.com")
        #expect(prefs.home?.absoluteString == "http://example.com")
        prefs.tag = Tag(value: "x")
        #expect(prefs.tag?.value == "x")
        prefs.date = Date(timeIntervalSinceReferenceDate: 1)
        #expect(prefs.date?.timeIntervalSinceReferenceDate == 1)
        prefs.data.append(2)
        #expect(prefs.data == Data([1, 2]))
        prefs.float += 1
        #expect(prefs.float == 2.5)
        prefs.swift = 3
        #expect(prefs.swift == 3)
        prefs.table["x", default: 0] += 1
        #expect(prefs.table == ["x": 1])
        #expect(prefs.hiddenValue == 1)
    }

    @Test func `stored forms are a type of mixed values`() {
        #expect(prefs.mixed == nil)
        prefs.mixed = ["a", 1, true, 1.5, ["b": 2]]
        #expect(prefs.mixed == ["a", 1, true, 1.5, ["b": 2]])
        prefs.dictionary["new"] = false
        #expect(prefs.dictionary == ["foo": "string", "bar": 123, "new": false])
    }

    @Test func `the key list describes every option of the declarations`() throws {
        let keys = Dictionary(uniqueKeysWithValues: OptionPrefs.keys.map { ($0.name, $0) })
        let port = try #require(keys["port"])
        #expect(port.documentation == "The port to listen on.\n\nPorts below 1024 require a privilege.")
        #expect(port.storedType == .integer)
        #expect(port.swiftType == "Int")
        #expect(port.defaultValue == 8080)
        #expect(port.limits.description == "1...65535")
        #expect(port.formerNames == ["listenPort", "oldPort"])
        #expect(port.environmentName(prefix: "MYD_") == "PORT")
        #expect(keys["deep.name"]?.environmentName(prefix: "MYD_") == "MYD_DEEP_NAME")
        #expect(keys["ratio"]?.limits.description == "0.0..<1.0")
        #expect(keys["path"]?.documentation == "The path of the allow list.")
        #expect(keys["path"]?.isSecret == true)
        #expect(keys["path"]?.validation == "the program also requires an absolute path")
        #expect(keys["deep.name"]?.validation == "the program also checks the value")
        #expect(port.validation == nil)
        #expect(
            keys["path"]?.rejection(of: PrefsCandidate("etc"))?.reason.hasPrefix("expected an absolute path")
                == true)
        #expect(keys["deep.name"]?.needsRestart == true)
        #expect(keys["deep.name"]?.storedType == .array(of: .string))
        #expect(keys["table"]?.mergesDeeply == true)
        #expect(keys["fruit"]?.limits.values == ["apple", "banana", "orange"])
        #expect(keys["mixed"]?.storedType == .array(of: .any))
        #expect(keys["date"]?.defaultValue == nil)
    }
}
