import FoundationEssentials
import Testing

@testable import LayeredPrefs

@Suite struct PrefsStorageValueTests {
    @Test func `every type survives a round trip through its stored form`() {
        expectRoundTrip("text")
        expectRoundTrip(true)
        expectRoundTrip(Int.max)
        expectRoundTrip(Int.min)
        expectRoundTrip(0.1)
        expectRoundTrip(-Double.infinity)
        expectRoundTrip(Float(0.1))
        expectRoundTrip(Float.infinity)
        expectRoundTrip(Float.greatestFiniteMagnitude)
        expectRoundTrip(Data([0, 255]))
        expectRoundTrip(Date(timeIntervalSinceReferenceDate: 1.5))
        expectRoundTrip([["a": [1, 2]], [:]])
        expectRoundTrip(PrefsValue.array([1, "a"]))
        expectRoundTrip(UUID())
        expectRoundTrip(Set([3, 1, 2]))
        expectRoundTrip(1..<5)
        expectRoundTrip(1.5...2.5)
        expectRoundTrip(["a": [Date.distantPast...Date.distantFuture]])
    }

    @Test func `NaN remains NaN`() {
        #expect(Double(prefsValue: Double.nan.prefsValue)?.isNaN == true)
        #expect(Float(prefsValue: Float.nan.prefsValue)?.isNaN == true)
    }

    @Test func `conversions never guess`() {
        #expect(Double(prefsValue: 3) == 3)
        #expect(Float(prefsValue: 3) == 3)
        #expect(Double(prefsValue: .integer(Int128(Int64.max))) == nil)
        #expect(Int(prefsValue: 3.0) == nil)
        #expect(Int(prefsValue: "3") == nil)
        #expect(Int(prefsValue: true) == nil)
        #expect(Int(prefsValue: .integer(Int128(UInt64.max))) == nil)
        #expect(Bool(prefsValue: 1) == nil)
        #expect(Bool(prefsValue: "true") == nil)
        #expect(String(prefsValue: 3) == nil)
        #expect(Float(prefsValue: 1e300) == nil)
        #expect(Date(prefsValue: "2026-01-02T03:04:05Z") == nil)
        #expect(Data(prefsValue: "AAA=") == nil)
    }

    @Test func `equal sets are stored identically`() {
        let words = (0..<100).map { "word \($0)" }
        #expect(Set(words).prefsValue == Set(words.reversed()).prefsValue)
    }

    @Test func `ranges need two bounds in order`() {
        #expect(Range<Int>(prefsValue: [2, 1]) == nil)
        #expect(ClosedRange<Int>(prefsValue: [1]) == nil)
        #expect(Range<Int>.storedForm(ofText: "1,5").flatMap(Range<Int>.init(prefsValue:)) == 1..<5)
    }

    @Test func `a collection with an element of another type is rejected`() {
        #expect([Int](prefsValue: [1, "2"]) == nil)
        #expect([String: Int](prefsValue: ["a": 1, "b": "2"]) == nil)
        #expect([Double](prefsValue: [1, 2.5]) == [1, 2.5])
    }

    private func expectRoundTrip<Value: PrefsStorageValue>(
        _ value: Value, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(Value(prefsValue: value.prefsValue) == value, sourceLocation: location)
    }
}
