/// Reads a binary property list. It traverses the objects from the top one, and validates each object where it
/// is used.
///
/// An object that several containers share becomes a value in each, and is validated in each. A file is rejected
/// if its shared objects would expand to many times its size, in values or in text, or if a container contains
/// itself. The scanner keeps the open containers in an array, not on the stack.
struct BinaryScanner {
    let bytes: [UInt8]
    let trailer: BinaryTrailer
    var builder: DocumentBuilder
    private var open: [OpenContainer] = []
    /// The number of bytes that further references may expand to.
    private var unfoldable: Int
    /// The memory that further values may take.
    private var available: Int

    /// A container whose children are being read.
    private struct OpenContainer {
        var object: Int
        /// The offset of its references; a dictionary's keys come before its values.
        var references: Int
        var count: Int
        var isDictionary: Bool
        var position = 0
    }

    init(_ builder: DocumentBuilder) throws(ScanFailure) {
        bytes = builder.text.bytes
        trailer = try BinaryTrailer(bytes)
        unfoldable = PrefsLimits.unfoldedSize(of: bytes.count)
        available = PrefsLimits.valuesSize(of: bytes.count)
        self.builder = builder
        // A large array that grows is in memory twice, so make space for as many values as there can be.
        let references = (trailer.offsetTable - BinaryTrailer.headSize) / trailer.referenceSize
        self.builder.reserve(min(references, available / MemoryLayout<DocumentNode>.stride))
    }

    mutating func scan() throws(ScanFailure) -> DocumentBuilder {
        try scanObject(trailer.topObject, at: BinaryTrailer.headSize)
        while let container = open.last {
            if container.position == container.count {
                open.removeLast()
                try builder.closeContainer(at: builder.text.bytes.count)
            } else {
                open[open.count - 1].position += 1
                try scanChild(of: container)
            }
        }
        return builder
    }

    private mutating func scanChild(of container: OpenContainer) throws(ScanFailure) {
        let place = container.references + container.position * trailer.referenceSize
        guard container.isDictionary else { return try scanObject(reference(at: place), at: place) }
        try scanKey(reference(at: place), at: place)
        let valuePlace = place + container.count * trailer.referenceSize
        try scanObject(reference(at: valuePlace), at: valuePlace)
    }

    /// Returns the object that a reference names; out of range if the file is malformed.
    private func reference(at offset: Int) -> Int {
        Int(exactly: BinaryNumber.read(bytes, at: offset, size: trailer.referenceSize)) ?? .max
    }

    /// Returns the offset of an object; `place` is the offset of the reference to it.
    private func offset(of object: Int, namedAt place: Int) throws(ScanFailure) -> Int {
        guard object < trailer.objectCount else {
            throw ScanFailure(place, "reference to object \(object), out of \(trailer.objectCount)")
        }
        let entry = trailer.offsetTable + object * trailer.offsetSize
        let offset = BinaryNumber.read(bytes, at: entry, size: trailer.offsetSize)
        guard offset >= BinaryTrailer.headSize, offset < trailer.offsetTable else {
            throw ScanFailure(
                entry, "the offset \(offset) of object \(object) is outside the objects")
        }
        return Int(offset)
    }
}

extension BinaryScanner {
    private mutating func scanKey(_ object: Int, at place: Int) throws(ScanFailure) {
        let head = try BinaryHead(bytes, at: offset(of: object, namedAt: place), end: trailer.offsetTable)
        guard let string = try string(head) else {
            throw ScanFailure(head.start, "expected a string as a dictionary's key, found \(head.type)")
        }
        try builder.setKey(string)
    }

    private mutating func scanObject(_ object: Int, at place: Int) throws(ScanFailure) {
        let head = try BinaryHead(bytes, at: offset(of: object, namedAt: place), end: trailer.offsetTable)
        try takeMemory(for: head)
        switch head.type {
        case .array, .dictionary: try openContainer(head, object)
        case .identifier: try addIdentifier(head)
        case .integer: try addInteger(head)
        case .asciiString, .utf16String, .utf8String, .data: try addText(head)
        case .false: try builder.add(.bool, payload: 0, range: head.range)
        case .true: try builder.add(.bool, payload: 1, range: head.range)
        case .real: try builder.add(.real, payload: head.real, range: head.range)
        case .date: try addDate(head)
        case .null, .set: throw ScanFailure(head.start, "\(head.type) is not supported in preferences")
        }
    }

    /// Counts the memory for a value, once for each reference to it. A container that contains itself reaches the
    /// depth limit first, and gets another error.
    private mutating func takeMemory(for head: BinaryHead) throws(ScanFailure) {
        let nodes = head.type == .identifier ? 2 : 1
        available -= nodes * MemoryLayout<DocumentNode>.stride + (builder.hasKey ? KeyTable.largestEntry : 0)
        // Each use of a shared scalar takes at least one byte; only shared containers expand to more values.
        guard available < 0 || builder.nodes.count >= bytes.count + builder.limits.depth else { return }
        throw ScanFailure(head.start, "shared objects expand to too many values", code: .tooLarge)
    }

    private mutating func openContainer(_ head: BinaryHead, _ object: Int) throws(ScanFailure) {
        let isDictionary = head.type == .dictionary
        try head.checkContent(unit: trailer.referenceSize * (isDictionary ? 2 : 1))
        if builder.depth == builder.limits.depth, open.contains(where: { $0.object == object }) {
            throw ScanFailure(head.start, "object \(object) contains itself")
        }
        try builder.openContainer(isDictionary ? .dictionary : .array, at: head.start)
        open.append(
            OpenContainer(
                object: object, references: head.content, count: head.count, isDictionary: isDictionary))
    }

    private mutating func addInteger(_ head: BinaryHead) throws(ScanFailure) {
        guard let integer = head.integer else {
            throw ScanFailure(head.start, "integer out of range: fits neither Int64 nor UInt64")
        }
        try builder.add(integer, range: head.range)
    }

    private mutating func addDate(_ head: BinaryHead) throws(ScanFailure) {
        guard Double(bitPattern: head.real).isFinite else {
            throw ScanFailure(head.start, "the date is not finite")
        }
        try builder.add(.date, payload: head.real, range: head.range)
    }

    private mutating func addText(_ head: BinaryHead) throws(ScanFailure) {
        if let run = try string(head) {
            try builder.add(.string, run, range: head.start..<run.range.upperBound)
        } else {
            let run = try head.bytes()
            try unfold(run)
            try builder.add(.data, run, range: head.start..<run.range.upperBound)
        }
    }

    /// Counts the bytes of an object towards the limit, once for each reference to it.
    private mutating func unfold(_ content: TextRun) throws(ScanFailure) {
        unfoldable -= content.range.count
        guard unfoldable < 0 else { return }
        throw ScanFailure(
            content.range.lowerBound,
            "shared objects expand to more than \(PrefsLimits.unfoldedSize(of: bytes.count)) bytes",
            code: .tooLarge)
    }

    /// Adds an archiver's reference, in the form of Apple's XML: a dictionary of one number under `CF$UID`.
    private mutating func addIdentifier(_ head: BinaryHead) throws(ScanFailure) {
        try builder.openContainer(.dictionary, at: head.start)
        try builder.setKey(TextRun(range: head.start..<head.start), flags: .identifierKey)
        guard let number = head.identifier else {
            throw ScanFailure(head.start, "identifier out of range: does not fit 64 bits")
        }
        try builder.add(number, range: head.range)
        try builder.closeContainer(at: head.range.upperBound)
    }

    /// Returns the range of a string's bytes, validated; `nil` if the object is not a string.
    private mutating func string(_ head: BinaryHead) throws(ScanFailure) -> TextRun? {
        switch head.type {
        case .asciiString:
            let run = try head.bytes()
            try unfold(run)
            guard bytes.span.extracting(run.range).isASCII else {
                throw ScanFailure(head.start, "an ASCII string that contains non-ASCII bytes")
            }
            return run
        case .utf8String:
            var run = try head.bytes()
            try unfold(run)
            run.isASCII = bytes.span.extracting(run.range).isASCII
            guard BinaryText.isUTF8(bytes, run.range) else {
                throw ScanFailure(head.start, "not valid UTF-8")
            }
            return run
        case .utf16String:
            try head.checkContent(unit: 2)
            let range = head.content..<head.content + head.count * 2
            let run = TextRun(range: range, isEncoded: true, isASCII: false)
            try unfold(run)
            guard BinaryText.isUTF16(bytes, range) else { throw ScanFailure(head.start, "not valid UTF-16") }
            return run
        default: return nil
        }
    }
}
