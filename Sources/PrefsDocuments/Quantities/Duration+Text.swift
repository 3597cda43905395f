extension Duration {
    /// Parses a duration as a person writes it: `250ms`, `30s`, `1h30m`, `1.5h`, `2d`, or in ISO 8601
    /// `PT1M30S`.
    ///
    /// The units are `w`, `d`, `h`, `m` (or `min`), `s`, `ms`, `us` (or `µs`) and `ns`, each at most once and
    /// from the largest to the smallest; a day has 24 hours. ISO 8601's months and years have no fixed length
    /// and are not accepted.
    ///
    /// - Returns: The duration; `nil` if the text is something else, is negative, has no unit, or is too large.
    package init?(prefsText text: String) {
        if let usual = Self.usual(text) {
            self = usual
            return
        }
        let isStandard = text.utf8.first == UInt8(ascii: "P")
        guard text.utf8.count <= 100, let parsed = isStandard ? Self.standard(text) : Self.units(text)
        else { return nil }
        // The seconds of a duration are an `Int64`; beyond, its components trap.
        guard parsed / Self.second <= Int128(Int64.max) else { return nil }
        self.init(attoseconds: parsed)
    }

    /// The duration as ``init(prefsText:)`` reads it, in days, hours, minutes and seconds, or in a smaller unit:
    /// `1h30m`, `1.5s`, `250ms`; `nil` for a negative duration.
    package var prefsText: String? {
        let total = attoseconds
        guard total >= 0 else { return nil }
        if total == 0 { return "0s" }
        if total < Self.second, let text = Self.small(total) { return text }
        var rest = total
        var text = ""
        // Days, hours and minutes.
        for unit in Self.units[1...3] where rest >= unit.length {
            text += "\(rest / unit.length)\(unit.names[0])"
            rest %= unit.length
        }
        return rest == 0 ? text : text + Self.seconds(rest)
    }

    private static let second: Int128 = 1_000_000_000_000_000_000

    /// The units in attoseconds, the largest first.
    private static let units: [(names: [String], length: Int128)] = [
        (["w"], 604_800 * second), (["d"], 86400 * second), (["h"], 3600 * second),
        (["m", "min"], 60 * second), (["s"], second), (["ms"], second / 1000),
        (["us", "\u{B5}s", "\u{3BC}s"], second / 1_000_000), (["ns"], second / 1_000_000_000),
    ]

    /// Returns a part of a second in the largest unit that makes it a whole number; `nil` if no unit does.
    private static func small(_ attoseconds: Int128) -> String? {
        for unit in units.suffix(3) where attoseconds % unit.length == 0 {
            return "\(attoseconds / unit.length)\(unit.names[0])"
        }
        return nil
    }

    /// Returns less than a minute in seconds, with as many decimals as necessary.
    private static func seconds(_ attoseconds: Int128) -> String {
        guard attoseconds % second != 0 else { return "\(attoseconds / second)s" }
        var decimals = String(attoseconds % second + second).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(attoseconds / second).\(decimals)s"
    }

    /// Parses a whole number with one unit, such as `30s`; returns `nil` for any other text. Most durations have
    /// this form, and a key for a duration parses the text at each read.
    private static func usual(_ text: String) -> Duration? {
        var (number, unit, hasNumber): (Int64, UInt32, Bool) = (0, 0, false)
        for byte in text.utf8 {
            if byte.isDigit {
                guard unit == 0, number < 100_000_000 else { return nil }
                (number, hasNumber) = (number * 10 + Int64(byte - UInt8(ascii: "0")), true)
            } else {
                guard hasNumber, byte != 0, unit <= 0xff else { return nil }
                unit = unit << 8 | UInt32(byte)
            }
        }
        guard let length = nanoseconds(inUnit: unit) else { return nil }
        let (product, overflows) = number.multipliedReportingOverflow(by: length)
        return overflows ? nil : .nanoseconds(product)
    }

    /// - Parameter name: The bytes of the unit's name, the last one lowest.
    private static func nanoseconds(inUnit name: UInt32) -> Int64? {
        switch name {
        case 0x77: 604_800_000_000_000  // w
        case 0x64: 86_400_000_000_000  // d
        case 0x68: 3_600_000_000_000  // h
        case 0x6d: 60_000_000_000  // m
        case 0x73: 1_000_000_000  // s
        case 0x6d73: 1_000_000  // ms
        case 0x7573: 1000  // us
        case 0x6e73: 1  // ns
        default: nil
        }
    }

    private static func units(_ text: String) -> Int128? {
        var text = QuantityText(text)
        var remaining = units[...]
        var total: Int128 = 0
        repeat {
            guard let number = text.number() else { return nil }
            let name = text.unit()
            guard let index = remaining.firstIndex(where: { $0.names.contains(name) }),
                let sum = number.times(units[index].length, plus: total)
            else { return nil }
            remaining = units[(index + 1)...]
            total = sum
        } while !text.isAtEnd
        return total
    }

    /// Parses `P2DT1H30M1.5S` or `P2W`.
    private static func standard(_ string: String) -> Int128? {
        var text = QuantityText(string.dropFirst())
        var isTime = text.skip("T")
        var remaining = standardUnits[...]
        var total: Int128 = 0
        repeat {
            guard let number = text.number() else { return nil }
            guard
                let index = remaining.firstIndex(where: {
                    $0.isTime == isTime && text.skip($0.name)
                }), let sum = number.times(standardUnits[index].length, plus: total)
            else { return nil }
            remaining = standardUnits[(index + 1)...]
            total = sum
            if !isTime { isTime = text.skip("T") && !text.isAtEnd }
        } while !text.isAtEnd
        return string.last == "T" ? nil : total
    }

    private static let standardUnits: [(name: Unicode.Scalar, isTime: Bool, length: Int128)] = [
        ("W", false, 604_800 * second), ("D", false, 86400 * second), ("H", true, 3600 * second),
        ("M", true, 60 * second), ("S", true, second),
    ]
}
