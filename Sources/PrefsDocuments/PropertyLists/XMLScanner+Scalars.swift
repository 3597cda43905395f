extension XMLScanner {
    /// Validates the text of a scalar element and adds its value.
    mutating func scanScalar(_ tag: XMLTag, _ run: TextRun, from start: Int) throws(ScanFailure) {
        switch tag {
        case .string:
            try builder.add(.string, run, range: start..<offset)
        case .data:
            try checkBase64(run)
            try builder.add(.data, run, range: start..<offset)
        case .integer:
            let integer = try parse(run, "an integer") { ScalarText.integer($0) }
            try builder.add(integer, range: start..<offset)
        case .real:
            let real = try parse(run, "a real") { ScalarText.real($0) }
            try builder.add(.real, payload: real.bitPattern, range: start..<offset)
        default:
            let date = try parse(run, "a date such as 2001-12-31T23:59:59Z") { PropertyListDate.parse($0) }
            try builder.add(.date, payload: date.bitPattern, range: start..<offset)
        }
    }

    private func parse<Value>(
        _ run: TextRun, _ expected: String, _ body: (ArraySlice<UInt8>) -> Value?
    ) throws(ScanFailure) -> Value {
        let text = run.isEncoded ? XMLText.decoded(bytes, run.range)[...] : bytes[run.range]
        if let value = body(text.trimmingBlanks()) { return value }
        // The text may be a secret in the wrong element, so it is not quoted.
        let found = text.trimmingBlanks().isEmpty ? "nothing" : "other text"
        throw ScanFailure(run.range.lowerBound, "expected \(expected), found \(found)")
    }

    private func checkBase64(_ run: TextRun) throws(ScanFailure) {
        let text = run.isEncoded ? XMLText.decoded(bytes, run.range)[...] : bytes[run.range]
        guard let fault = Base64.fault(in: text) else { return }
        let place = run.isEncoded ? run.range.lowerBound : fault
        guard fault < text.endIndex else { throw ScanFailure(place, "incomplete base64") }
        throw ScanFailure(place, "invalid base64: unexpected \(text[fault].quoted)")
    }
}

extension ArraySlice<UInt8> {
    func trimmingBlanks() -> ArraySlice<UInt8> {
        var slice = drop { $0.isBlank }
        while let last = slice.last, last.isBlank { slice.removeLast() }
        return slice
    }
}
