import LayeredPrefs

/// Writes typical property lists without the measured code.
enum PropertyList {
    static func text(_ content: [(String, PrefsValue)]) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \(entries(content))</dict>
        </plist>

        """
    }

    private static func entries(_ content: [(String, PrefsValue)]) -> String {
        var text = ""
        for (key, value) in content { text += "<key>\(key)</key>\n\(element(value))\n" }
        return text
    }

    private static func element(_ value: PrefsValue) -> String {
        switch value {
        case .string(let value): "<string>\(value)</string>"
        case .bool(let value): "<\(value)/>"
        case .integer(let value): "<integer>\(value)</integer>"
        case .real(let value): "<real>\(value)</real>"
        case .array(let values): "<array>\(values.map(element).joined())</array>"
        case .dictionary(let content):
            "<dict>\n\(entries(content.sorted { $0.key < $1.key }))</dict>"
        default: preconditionFailure("no sample holds a \(value.kind)")
        }
    }

    /// Returns strings, numbers and booleans under dotted keys.
    static func sample(_ count: Int) -> [(String, PrefsValue)] {
        (0..<count).map { index in
            let value: PrefsValue =
                switch index % 5 {
                case 0: .integer(Int128(index))
                case 1: .string("value number \(index)")
                case 2: .bool(index % 2 == 0)
                case 3: .real(Double(index) / 7)
                default: .string("/var/lib/example/\(index)/state")
                }
            return ("group\(index % 97).setting\(index)", value)
        }
    }
}
