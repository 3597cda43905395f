/// Text that would control a terminal, reorder a line or forge a line if it were printed unchanged.
package enum HostileText {
    /// Clears the screen, sets the title and the color (in C0 and in C1), overrides the direction of text,
    /// and begins a new line.
    package static let text =
        "evil\u{1B}[2J\u{1B}]0;pwned\u{7}\u{9B}31m\u{7F}\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\u{85}\nforged: line"

    /// Returns the control characters of an output, except those that end lines and separate columns, and
    /// `forged` if the text managed to begin a line.
    package static func violations(in output: String) -> Set<String> {
        var violations: Set<String> = []
        for scalar in output.unicodeScalars where isControl(scalar) {
            violations.insert("U+" + String(scalar.value, radix: 16, uppercase: true))
        }
        if output.split(separator: "\n").contains(where: { $0.hasPrefix("forged") }) {
            violations.insert("forged")
        }
        return violations
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
