import LayeredPrefs

/// Contents of the size that is asked for: strings, numbers and booleans under dotted keys.
func sample(_ count: Int) -> [String: PrefsValue] {
    var content: [String: PrefsValue] = [:]
    for index in 0..<count {
        let key = "group\(index % 97).setting\(index)"
        content[key] =
            switch index % 5 {
            case 0: .integer(Int128(index))
            case 1: .string("value number \(index)")
            case 2: .bool(index % 2 == 0)
            case 3: .real(Double(index) / 7)
            default: .string("/var/lib/example/\(index)/state")
            }
    }
    return content
}
