/// A way for a file's contents, or another input, to be large.
struct Shape {
    let name: String
    /// The maximum memory of the work, as a multiple of the size.
    var memory = 20
    /// Creates an input of about this size. Returns the work on it that is measured.
    let prepare: (_ size: Int) throws -> () throws -> Void

    init(_ name: String, _ prepare: @escaping (_ size: Int) throws -> () throws -> Void) {
        self.name = name
        self.prepare = prepare
    }

    func memory(_ factor: Int) -> Shape {
        var shape = self
        shape.memory = factor
        return shape
    }

    static var all: [Shape] { json + xml + toml + yaml + binary + editing + stacks + live + texts }
}

/// A text that consists of repeated parts.
struct Text {
    private(set) var bytes: [UInt8] = []

    init(_ head: String, _ tail: String, size: Int, separator: String = "", _ part: (Int) -> String) {
        bytes.reserveCapacity(size + 5000)
        bytes.append(contentsOf: head.utf8)
        var index = 0
        while bytes.count < size {
            if index > 0 { bytes.append(contentsOf: separator.utf8) }
            bytes.append(contentsOf: part(index).utf8)
            index += 1
        }
        bytes.append(contentsOf: tail.utf8)
    }

    /// Creates a text that has only parts.
    init(_ size: Int, _ part: (Int) -> String) { self.init("", "", size: size, part) }

    /// Returns a JSON object with these entries.
    static func json(_ size: Int, _ entry: (Int) -> String) -> [UInt8] {
        Text("{", "}", size: size, separator: ",", entry).bytes
    }

    /// Returns an XML property list with these entries.
    static func xml(_ size: Int, _ entry: (Int) -> String) -> [UInt8] {
        Text("<plist><dict>", "</dict></plist>", size: size, separator: "\n", entry).bytes
    }
}
