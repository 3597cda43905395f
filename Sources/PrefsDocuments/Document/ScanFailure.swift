/// A violation of the file format, with its place.
///
/// Scanners throw it; the caller that knows the file's path converts it to a ``PrefsError``.
struct ScanFailure: Error {
    /// The offset in bytes from the start of the scanned text.
    var offset: Int
    var code: PrefsError.Code
    var reason: String
    /// True if the text seems to be in a format other than the expected one.
    var isOfOtherFormat = false

    init(_ offset: Int, _ reason: String, code: PrefsError.Code = .syntax) {
        self.offset = offset
        self.code = code
        self.reason = reason
    }
}

extension ScanFailure {
    /// Converts the failure to an error for the file at `path`.
    func error(in text: DocumentText, path: String?) -> PrefsError {
        let position = text.position(of: offset)
        return PrefsError(code, origin: PrefsOrigin(file: path, position: position), reason: reason)
    }
}

extension UInt8 {
    /// The byte for a message: `“<”`, `a letter`, `a digit`, `byte 0x1B`.
    ///
    /// Only punctuation is quoted: a message about a file must not contain text of the file, which may be a
    /// secret.
    var quoted: String {
        switch self {
        case 0x30...0x39: "a digit"
        case _ where isLetter: "a letter"
        case 0x21...0x7E: "“\(UnicodeScalar(self))”"
        default: "byte 0x\(digits(radix: 16, width: 2))"
        }
    }

    /// True for white space in XML and in JSON.
    var isBlank: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D
    }

    /// True for a space and a tab.
    var isIndentation: Bool { self == 0x20 || self == 0x09 }

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    // A lowercase letter differs from its capital in one bit.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    func isDigit(radix: UInt64) -> Bool { hexadecimalValue.map { UInt64($0) < radix } ?? false }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
