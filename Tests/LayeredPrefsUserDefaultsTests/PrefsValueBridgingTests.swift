import Foundation
import LayeredPrefs
import LayeredPrefsUserDefaults
import Testing

@Suite struct PrefsValueBridgingTests {
    private static let values: [any Sendable] = [
        1, UInt8(1), UInt64.max, true, 1.0, Float(1.5), "a", Date(timeIntervalSince1970: 0), Data([1]),
        URL(string: "a:b")!, [1, 2], ["a": true], NSNumber(value: true), NSNumber(value: 1),
        NSNumber(value: 1.0), NSNumber(value: Int8(1)), NSNumber(value: UInt64.max), [1, nil, 2] as [Int?],
    ]

    private static let storedForms: [PrefsValue] = [
        1, 1, .integer(Int128(UInt64.max)), true, 1.0, 1.5, "a", .date(Date(timeIntervalSince1970: 0)),
        .data(Data([1])), "a:b", [1, 2], ["a": true], true, 1, 1.0, 1, .integer(Int128(UInt64.max)), [1, 2],
    ]

    @Test(arguments: zip(values, storedForms))
    func `values of unknown type keep their type when bridged`(value: any Sendable, expected: PrefsValue) {
        #expect(PrefsValue(bridging: value) == expected)
    }
}
