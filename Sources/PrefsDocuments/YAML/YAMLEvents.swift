#if YAML
    /// A part of a YAML file: a scalar, an alias, or the start or end of a collection.
    struct YAMLEvent {
        enum Kind {
            case document, mapping, sequence, end, alias, scalar, endOfFile
        }

        var kind: Kind
        var form = YAMLForm.plain
        /// The range of a scalar, with its quotes or block header but without its anchor, or of a collection's
        /// start.
        var range: Range<Int>
        /// The anchor before the value, or the name of the alias.
        var anchor: String?
        /// The content of a scalar: a range of the file, or a text that the file spells in another way.
        var content = Content.source(0..<0)

        enum Content {
            case source(Range<Int>)
            case decoded([UInt8])
        }
    }

    /// The spelling of a YAML value.
    enum YAMLForm: UInt8 {
        case plain, singleQuoted, doubleQuoted, literal, folded, alias
        /// A collection in brackets or braces.
        case flow
        /// A collection by indentation.
        case block

        var isBlockScalar: Bool { self == .literal || self == .folded }
    }

    import CLibYAML

    /// Splits a YAML file into events, with libyaml.
    ///
    /// Safe, because it owns the parser and the text that the parser reads, and hands out neither.
    @safe struct YAMLEvents: ~Copyable {
        private let bytes: [UInt8]
        private let parser: UnsafeMutablePointer<yaml_parser_t>
        private let input: UnsafeMutableBufferPointer<UInt8>
        private var cursor: CharacterCursor

        /// - Parameter bytes: A text that ``YAMLCharacters`` has checked.
        init(_ bytes: [UInt8]) throws(ScanFailure) {
            self.bytes = bytes
            cursor = CharacterCursor(bytes)
            unsafe parser = .allocate(capacity: 1)
            unsafe input = .allocate(capacity: max(bytes.count, 1))
            _ = unsafe input.initialize(from: bytes)
            unsafe parser.initialize(to: yaml_parser_t())
            guard unsafe yaml_parser_initialize(parser) == 1 else {
                throw ScanFailure(0, "out of memory", code: .tooLarge)
            }
            unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
        }

        deinit {
            // After a failed initialization the parser is all zero, which may be deleted.
            unsafe yaml_parser_delete(parser)
            unsafe parser.deallocate()
            unsafe input.deallocate()
        }

        mutating func next() throws(ScanFailure) -> YAMLEvent {
            while true {
                var event = unsafe yaml_event_t()
                guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
                defer { unsafe yaml_event_delete(&event) }
                if let event = unsafe try converted(event) { return event }
            }
        }

        /// Returns `nil` for an event that holds no value: the start of the file, or the end of a document.
        private mutating func converted(_ event: yaml_event_t) throws(ScanFailure) -> YAMLEvent? {
            let range = unsafe cursor.range(event.start_mark, event.end_mark)
            switch unsafe event.type {
            case YAML_DOCUMENT_START_EVENT:
                unsafe try checkDirectives(of: event, at: range.lowerBound)
                return YAMLEvent(kind: .document, range: range)
            case YAML_MAPPING_START_EVENT:
                let mapping = unsafe event.data.mapping_start
                let isFlow = unsafe mapping.style == YAML_FLOW_MAPPING_STYLE
                return unsafe try collection(.mapping, isFlow, range, mapping.anchor, mapping.tag)
            case YAML_SEQUENCE_START_EVENT:
                let sequence = unsafe event.data.sequence_start
                let isFlow = unsafe sequence.style == YAML_FLOW_SEQUENCE_STYLE
                return unsafe try collection(.sequence, isFlow, range, sequence.anchor, sequence.tag)
            case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .end, range: range)
            case YAML_ALIAS_EVENT:
                let name = unsafe text(event.data.alias.anchor)
                return YAMLEvent(kind: .alias, form: .alias, range: range, anchor: name)
            case YAML_SCALAR_EVENT: return unsafe try scalar(event, range)
            case YAML_STREAM_END_EVENT: return YAMLEvent(kind: .endOfFile, range: range)
            default: return nil
            }
        }

        private func collection(
            _ kind: YAMLEvent.Kind, _ isFlow: Bool, _ range: Range<Int>,
            _ anchor: UnsafeMutablePointer<UInt8>?, _ tag: UnsafeMutablePointer<UInt8>?
        ) throws(ScanFailure) -> YAMLEvent {
            unsafe try checkTag(tag, at: range.lowerBound)
            let anchor = unsafe text(anchor)
            let start = anchor == nil ? range.lowerBound : afterProperties(range.lowerBound)
            return YAMLEvent(
                kind: kind, form: isFlow ? .flow : .block, range: start..<max(start, range.upperBound),
                anchor: anchor)
        }

        private func scalar(_ event: yaml_event_t, _ range: Range<Int>) throws(ScanFailure) -> YAMLEvent {
            let scalar = unsafe event.data.scalar
            unsafe try checkTag(scalar.tag, at: range.lowerBound)
            let value = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            var event = YAMLEvent(kind: .scalar, range: range, anchor: unsafe text(scalar.anchor))
            switch unsafe scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: event.form = .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: event.form = .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: event.form = .literal
            case YAML_FOLDED_SCALAR_STYLE: event.form = .folded
            default: event.form = .plain
            }
            if event.form == .plain, value.isEmpty {
                event.range = range.lowerBound..<range.lowerBound
            } else if event.anchor != nil {
                let start = min(afterProperties(range.lowerBound), range.upperBound)
                event.range = start..<range.upperBound
            }
            if event.form.isBlockScalar { event.range = YAMLBlockText.trimmed(event.range, in: bytes) }
            let quotes = event.form == .singleQuoted || event.form == .doubleQuoted ? 1 : 0
            let inner = event.range.lowerBound + quotes..<max(event.range.upperBound, quotes) - quotes
            event.content =
                unsafe bytes[inner].elementsEqual(value) && !event.form.isBlockScalar
                ? .source(inner) : .decoded(Array(value))
            return event
        }

        private func text(_ name: UnsafeMutablePointer<UInt8>?) -> String? {
            unsafe name.map { unsafe String(cString: $0) }
        }

        private func checkTag(_ tag: UnsafeMutablePointer<UInt8>?, at offset: Int) throws(ScanFailure) {
            guard unsafe tag != nil else { return }
            throw ScanFailure(offset, "tags are not supported; remove the tag, and put a text in quotes")
        }

        private func checkDirectives(of event: yaml_event_t, at offset: Int) throws(ScanFailure) {
            let document = unsafe event.data.document_start
            if let version = unsafe document.version_directive?.pointee, version.minor != 2 {
                throw ScanFailure(
                    offset,
                    "the file says YAML \(version.major).\(version.minor), but is read as YAML 1.2, in which “no”"
                        + " and “on” are text; remove the directive")
            }
            guard unsafe document.tag_directives.start == document.tag_directives.end else {
                throw ScanFailure(offset, "tags are not supported; remove the directive")
            }
        }

        /// Returns the offset of a value whose anchor begins at an offset.
        private func afterProperties(_ start: Int) -> Int {
            var offset = start
            while offset < bytes.count, !bytes[offset].isBlank { offset += 1 }
            while offset < bytes.count {
                if bytes[offset] == UInt8(ascii: "#") {
                    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
                } else if bytes[offset].isBlank {
                    offset += 1
                } else {
                    break
                }
            }
            return offset
        }
    }

    extension YAMLEvents {
        private mutating func failure() -> ScanFailure {
            let (mark, context) = unsafe (parser.pointee.problem_mark, parser.pointee.context_mark)
            let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? ""
            guard unsafe parser.pointee.error != YAML_MEMORY_ERROR else {
                return ScanFailure(0, "out of memory", code: .tooLarge)
            }
            let offset = cursor.offset(of: Int(mark.index))
            switch problem {
            case "found character that cannot start any token":
                let byte = offset < bytes.count ? bytes[offset] : 0
                return ScanFailure(
                    offset,
                    byte == 0x09
                        ? "a tab cannot indent; use spaces"
                        : "\(byte.quoted) cannot begin a text; put it in quotes")
            case "mapping values are not allowed in this context":
                return ScanFailure(
                    offset, "unexpected “:”; check the indentation, or put a text that contains it in quotes")
            case "could not find expected ':'":
                return ScanFailure(cursor.offset(of: Int(context.index)), "expected “:” after the key")
            case "did not find expected node content": return ScanFailure(offset, "expected a value")
            case "did not find expected key":
                return ScanFailure(offset, "expected a key; check the indentation")
            case "did not find expected '-' indicator":
                return ScanFailure(offset, "expected “-”; check the indentation")
            case "did not find expected ',' or ']'": return ScanFailure(offset, "expected “,” or “]”")
            case "did not find expected ',' or '}'": return ScanFailure(offset, "expected “,” or “}”")
            case "found unexpected end of stream", "found unexpected document indicator":
                return ScanFailure(cursor.offset(of: Int(context.index)), "unterminated string")
            case "found unknown escape character", "did not find expected hexdecimal number",
                "found invalid Unicode character escape code":
                return ScanFailure(offset, "invalid escape sequence")
            case "did not find expected <document start>":
                return ScanFailure(offset, "unexpected content after the outermost value")
            case "found incompatible YAML document":
                return ScanFailure(offset, "this is not YAML 1.2; remove the directive")
            case _ where problem.hasPrefix("Maximum nesting level"):
                return ScanFailure(offset, "nested too deeply", code: .tooLarge)
            default: return ScanFailure(offset, problem)
            }
        }
    }

    /// Converts the parser's counts of characters to byte offsets. The counts hardly ever decrease.
    private struct CharacterCursor {
        private let bytes: [UInt8]
        private let isASCII: Bool
        private var count = 0
        private var offset: Int
        private let start: Int

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            start = TextEncoding.start(of: bytes)
            offset = start
            isASCII = bytes.span.extracting(start..<bytes.count).isASCII
        }

        mutating func range(_ from: yaml_mark_t, _ to: yaml_mark_t) -> Range<Int> {
            let start = offset(of: Int(from.index))
            return start..<max(start, offset(of: Int(to.index)))
        }

        mutating func offset(of character: Int) -> Int {
            guard !isASCII else { return min(start + character, bytes.count) }
            while count < character, offset < bytes.count {
                offset += 1
                while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
                count += 1
            }
            while count > character, offset > start {
                offset -= 1
                while offset > start, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
                count -= 1
            }
            return offset
        }
    }
#endif
