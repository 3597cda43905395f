#if YAML
    /// Changes entries of a YAML file and nothing else. It preserves comments, order, layout, anchors and the
    /// spelling of every other value.
    ///
    /// A new key goes to the end of its mapping. The editor rejects an edit, with the line and the reason, if it
    /// cannot change a value alone. This is so if the value has an anchor, if the mapping around the key has an
    /// alias elsewhere or comes from an anchor itself, or if a merge key provides a key that is removed. To change
    /// a key that a merge key provides, the editor adds the key to the mapping itself. After an edit, it parses
    /// the file again, and rejects the edit if any other key differs.
    struct YAMLEditor: SurgicalEditor {
        let document: PrefsDocument
        private let tree: YAMLTree
        /// The places, by the index of their node; `nil` if the nodes are the values of the tree.
        private let places: [YAMLPlace]?
        private let style: TextLayout.Style
        var patch = TextPatch()
        var elementEdits = ElementEdits()

        init(_ document: PrefsDocument) throws(ScanFailure) {
            self.document = document
            var scanner = YAMLScanner(document.text, limits: document.limits, wantsPlaces: true)
            (tree, places) = try scanner.scanTree()
            style = Self.style(of: tree, TextLayout(bytes: document.text.bytes))
        }

        /// Returns the file after some edits. Throws if the edits change other parts of the file.
        static func checkedBytes(
            of document: PrefsDocument, after edits: EditTree
        ) throws(PrefsError) -> [UInt8] {
            // The editor is released before the result is parsed.
            let bytes = try bytes(of: document, after: edits)
            var result: PrefsDocument?
            do throws(PrefsError) {
                result = try PrefsDocument(parsing: bytes, as: .yaml, limits: document.limits)
            } catch  where error.code == .tooLarge {
                throw error
            } catch {
                // A result that cannot be parsed is rejected below.
            }
            guard let result, result.isResult(of: edits, in: document) else {
                throw PrefsError(
                    .unsupported,
                    reason: "this cannot be changed without changing other parts of the file; edit it by hand"
                )
            }
            return bytes
        }

        private func place(of node: Int) -> YAMLPlace {
            places?[node] ?? YAMLPlace(item: node, isExpanded: false)
        }

        /// Returns false for a mapping by indentation that becomes empty: it has to be written as `{}`.
        func canEdit(inside node: Int, becoming content: [String: PrefsValue]?) -> Bool {
            content?.isEmpty != true || tree.form(of: place(of: node).item) != .block
        }

        mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError) {
            let (place, owner) = (place(of: node), place(of: parent))
            try checkMayChange(inside: owner)
            if place.isExpanded {
                return try add([(document.text.key(of: document.nodes[node]), value)], to: owner.item)
            }
            let item = place.item
            try checkAnchors(item)
            let isInFlow = tree.form(of: owner.item) == .flow
            let form = tree.form(of: item)
            switch form {
            case .plain, .singleQuoted, .doubleQuoted, .alias, .flow:
                let text = try YAMLWriter.inline(value, like: form, inFlow: isInFlow)
                // The value of a section without keys is an empty range right after the colon.
                let space = tree[item].range.isEmpty ? " " : ""
                patch.replace(tree[item].range, with: Array((space + text).utf8))
            case .literal, .folded: try replaceBlockText(item, with: value)
            case .block:
                if case .array(let elements) = value, !elements.isEmpty, tree[item].kind == .array {
                    return try replaceElements(item, with: elements)
                }
                try replaceLines(of: item, with: value)
            }
        }

        mutating func change(
            _ parent: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
        ) throws(PrefsError) {
            let owner = place(of: parent)
            try checkMayChange(inside: owner)
            for node in removing where place(of: node).isExpanded {
                throw refusal(
                    "the key comes from a merge key; it can only be removed where it is written, which is here",
                    at: Int(tree.place(of: place(of: node).item).entryStart))
            }
            // These are in the order of the file, because none of them is written elsewhere.
            let removed = removing.map { place(of: $0).item }
            for item in removed { try checkAnchors(item) }
            guard tree.isEmpty || tree.isSectionWithoutKeys(owner.item) || tree.form(of: owner.item) == .block
            else {
                return try changeBraces(owner.item, removed, adding)
            }
            if adding.isEmpty, parent > 0, removed.count == tree.childCount(of: owner.item) {
                return try empty(owner.item)
            }
            if !adding.isEmpty { try add(adding, to: owner.item) }
            guard !removed.isEmpty else { return }
            var rest = removed[...]
            var previous: Int?
            for item in tree.children(of: owner.item) {
                if item == rest.first {
                    rest.removeFirst()
                    try removeLines(of: item, after: previous)
                }
                previous = item
            }
        }
    }

    extension YAMLEditor {
        /// Throws if changing an entry of a mapping would change values elsewhere, too.
        private func checkMayChange(inside owner: YAMLPlace) throws(PrefsError) {
            guard !tree.isEmpty else { return }
            guard !owner.isExpanded, tree.form(of: owner.item) != .alias else {
                throw refusal(
                    "the mapping around this key comes from an anchor; change it there, or replace the alias by a mapping",
                    at: Int(tree.place(of: owner.item).entryStart))
            }
            var index = owner.item
            while true {
                if let alias = tree.aliases[index] {
                    throw refusal(
                        "the mapping around this key has an anchor whose alias on line \(line(of: alias))"
                            + " would change with it; replace the alias first",
                        at: Int(tree.place(of: index).entryStart))
                }
                guard index != 0 else { return }
                index = Int(tree.place(of: index).parent)
            }
        }

        /// Throws if a value, or anything in it, has an anchor.
        private func checkAnchors(_ item: Int) throws(PrefsError) {
            if tree.traits(of: item).contains(.anchored) {
                throw refusal(
                    "the value has an anchor, which its aliases need; remove the anchor first, or edit it by hand",
                    at: Int(tree.place(of: item).entryStart))
            }
            for child in tree.children(of: item) { try checkAnchors(child) }
        }

        private func refusal(_ reason: String, at offset: Int) -> PrefsError {
            PrefsError(
                .unsupported, origin: PrefsOrigin(position: document.position(of: offset)), reason: reason)
        }

        private func line(of offset: Int) -> String {
            if case .line(let line, _)? = document.position(of: offset) { "\(line)" } else { "?" }
        }
    }

    extension YAMLEditor {
        /// Adds entries to the end of a mapping.
        private mutating func add(_ adding: [(key: String, value: PrefsValue)], to mapping: Int)
            throws(PrefsError)
        {
            if !tree.isEmpty, tree.isSectionWithoutKeys(mapping) { return try fill(mapping, adding) }
            guard tree.isEmpty || tree.form(of: mapping) == .block else {
                return try changeBraces(mapping, [], adding)
            }
            var writer = YAMLWriter(style: style)
            guard !tree.isEmpty, !tree.isEmptyCollection(mapping) else {
                for (key, value) in adding { try writer.writeEntry(key, value, indent: "") }
                return insertLines(writer.output, at: layout.bytes.count, newline: style.newline)
            }
            let indent = String(repeating: " ", count: layout.column(of: Int(tree[mapping].start)))
            for (key, value) in adding { try writer.writeEntry(key, value, indent: indent) }
            insertLines(
                writer.output, at: layout.endOfLine(at: tree.end(of: mapping)), newline: style.newline)
        }

        /// Adds the first entries of a section whose keys are all commented out, after the comments.
        private mutating func fill(
            _ section: Int, _ adding: [(key: String, value: PrefsValue)]
        ) throws(PrefsError) {
            let column = layout.column(of: Int(tree.place(of: section).entryStart))
            let line = layout.endOfLine(at: tree.end(of: section))
            let place = layout.endOfComments(after: line, indentedMoreThan: column)
            var writer = YAMLWriter(style: style)
            let indent = String(repeating: " ", count: column) + style.unit
            for (key, value) in adding { try writer.writeEntry(key, value, indent: indent) }
            insertLines(writer.output, at: place, newline: style.newline)
        }

        /// Removes the lines of an entry of a mapping by indentation.
        ///
        /// - Parameter previous: The entry before this one.
        private mutating func removeLines(of item: Int, after previous: Int?) throws(PrefsError) {
            let start = Int(tree.place(of: item).entryStart)
            guard let indentation = layout.indentation(before: start) else {
                throw refusal("the key is not at the start of a line; remove it by hand", at: start)
            }
            var end = layout.endOfLine(at: tree.end(of: item))
            // The blank lines below would become part of a preceding text that keeps blank lines.
            if let previous, endsInKeptLines(previous) {
                while end < layout.bytes.count, let next = layout.lineEnd(after: end) { end = next }
            }
            patch.remove(indentation.lowerBound..<end)
        }

        /// Returns true if an entry ends in a text that keeps the blank lines after it.
        private func endsInKeptLines(_ item: Int) -> Bool {
            let last = tree.lastValue(in: item)
            return tree.form(of: last).isBlockScalar
                && YAMLBlockText.keepsLines(tree[last].range, in: layout.bytes)
        }

        /// Replaces a collection by indentation with a value on the line of its key.
        private mutating func replaceLines(of item: Int, with value: PrefsValue) throws(PrefsError) {
            let (colon, start) = try colon(of: item)
            patch.insert(Array((" " + (try YAMLWriter.inline(value, inFlow: false))).utf8), at: colon + 1)
            // There are only comments between the key and the value, and they stay.
            patch.remove(start..<layout.endOfLine(at: tree.end(of: item)))
        }

        /// Replaces the entries of a mapping by indentation with `{}` on the line of its key. The comments
        /// between and after the entries stay.
        private mutating func empty(_ mapping: Int) throws(PrefsError) {
            patch.insert(Array(" {}".utf8), at: try colon(of: mapping).offset + 1)
            var previous: Int?
            for item in tree.children(of: mapping) {
                try removeLines(of: item, after: previous)
                previous = item
            }
        }

        /// Returns the offset of the colon after the key of a collection by indentation, and the start of the
        /// collection's first line.
        private func colon(of item: Int) throws(PrefsError) -> (offset: Int, lines: Int) {
            let place = tree.place(of: item)
            let keyEnd = Int(place.keyEnd)
            let start = layout.indentation(before: Int(tree[item].start))?.lowerBound
            guard let start, let colon = layout.bytes[keyEnd..<start].firstIndex(of: UInt8(ascii: ":")),
                layout.bytes[keyEnd..<colon].allSatisfy(\.isBlank)
            else {
                throw refusal("the value is not below its key; edit it by hand", at: Int(place.entryStart))
            }
            return (colon, start)
        }

        /// Replaces the lines of an array by indentation.
        private mutating func replaceElements(_ item: Int, with elements: [PrefsValue]) throws(PrefsError) {
            let range = Int(tree[item].start)..<tree.end(of: item)
            var writer = YAMLWriter(style: style)
            let indent = String(repeating: " ", count: layout.column(of: range.lowerBound))
            try writer.writeElements(elements, indent: indent)
            // The file already has the indentation of the first line and the end of the last line.
            let text = writer.output.dropFirst(indent.utf8.count).dropLast(style.newline.utf8.count)
            patch.replace(range, with: Array(text))
        }

        /// Replaces a text under `|` or `>`. A comment after the header stays.
        private mutating func replaceBlockText(_ item: Int, with value: PrefsValue) throws(PrefsError) {
            let range = tree[item].range
            let header = YAMLBlockText.header(of: range, in: layout.bytes)
            let lines = layout.endOfLine(at: header.upperBound)
            guard case .string(let text) = value, let (mark, new) = YAMLBlockText.lines(text) else {
                patch.replace(header, with: Array(try YAMLWriter.inline(value, inFlow: false).utf8))
                return patch.remove(min(lines, range.upperBound)..<layout.endOfLine(at: range.upperBound))
            }
            var writer = YAMLWriter(style: style)
            let column = layout.column(of: Int(tree.place(of: item).entryStart))
            writer.writeLines(new, indent: String(repeating: " ", count: column) + style.unit)
            patch.replace(header, with: Array(mark.utf8))
            patch.replace(
                min(lines, range.upperBound)..<layout.endOfLine(at: range.upperBound), with: writer.output)
        }

        /// Returns the indentation of the first nested mapping, or else two spaces, and the line ending of the
        /// file.
        private static func style(of tree: YAMLTree, _ layout: TextLayout) -> TextLayout.Style {
            var style = TextLayout.Style(unit: "  ", newline: layout.firstNewline)
            for item in 0..<tree.count where item > 0 && tree.form(of: item) == .block {
                let place = tree.place(of: item)
                guard tree[item].kind == .dictionary, tree[Int(place.parent)].kind == .dictionary,
                    let inner = layout.indentation(before: Int(tree[item].start)),
                    let outer = layout.indentation(before: Int(place.entryStart)), inner.count > outer.count
                else { continue }
                style.unit = String(repeating: " ", count: inner.count - outer.count)
                break
            }
            return style
        }
    }

    extension YAMLEditor {
        /// Changes the members of a mapping in braces, with one comma between two members.
        private mutating func changeBraces(
            _ mapping: Int, _ removing: [Int], _ adding: [(key: String, value: PrefsValue)]
        ) throws(PrefsError) {
            let members = Array(tree.children(of: mapping))
            let removed = Set(removing)
            let ranges = members.map { Int(tree.place(of: $0).entryStart)..<tree.end(of: $0) }
            let removals = TextPatch.removals(of: ranges) { removed.contains(members[$0]) }
            for (member, range) in zip(ranges.indices.filter { removed.contains(members[$0]) }, removals) {
                // A member without a comma has nothing beside it.
                guard range == ranges[member] || !layout.bytes[range].contains(UInt8(ascii: "#")) else {
                    throw refusal(
                        "there may be a comment beside the key; remove it by hand",
                        at: ranges[member].lowerBound)
                }
                patch.remove(range)
            }
            guard !adding.isEmpty else { return }
            var texts: [String] = []
            for (key, value) in adding { texts.append(try YAMLWriter.member(key, value)) }
            guard let last = members.last else { return try fill(mapping, adding, texts) }
            // If the last member has a line of its own, so do the new members.
            let indentation = layout.indentation(before: Int(tree.place(of: last).entryStart))
            let separator =
                indentation.map { "," + style.newline + String(repeating: " ", count: $0.count) } ?? ", "
            let text = (removed.count < members.count ? separator : "") + texts.joined(separator: separator)
            patch.insert(Array(text.utf8), at: tree.end(of: last))
        }

        /// Writes the members of an empty mapping: as lines without braces if the mapping is the whole file.
        private mutating func fill(
            _ mapping: Int, _ adding: [(key: String, value: PrefsValue)], _ texts: [String]
        ) throws(PrefsError) {
            let range = tree[mapping].range
            guard mapping == 0 else {
                return patch.replace(range, with: Array(("{ " + texts.joined(separator: ", ") + " }").utf8))
            }
            var writer = YAMLWriter(style: style)
            for (key, value) in adding { try writer.writeEntry(key, value, indent: "") }
            patch.replace(range, with: Array(writer.output.dropLast(style.newline.utf8.count)))
        }
    }

    extension YAMLEditor {
        mutating func changeElements(of array: Int, _ changes: ArrayChanges) throws(PrefsError) -> Bool {
            let owner = place(of: array)
            let children = physicalChildren(of: array)
            let places = children.map(place)
            let form = tree.form(of: owner.item)
            guard form == .block || form == .flow, !owner.isExpanded, !places.contains(where: \.isExpanded)
            else { return false }
            try checkMayChange(inside: owner)
            for (index, value) in changes.changed {
                try changeElement(children[index], of: array, to: value)
            }
            let items = places.map(\.item)
            for index in changes.removed { try checkAnchors(items[index]) }
            guard form == .block else {
                let ranges = items.map { Int(tree[$0].start)..<tree.end(of: $0) }
                let list = CommaList(layout: layout, elements: ranges, newline: style.newline)
                var added: [(previous: Int?, texts: [String])] = []
                for (previous, values) in changes.added {
                    var texts: [String] = []
                    for value in values { texts.append(try YAMLWriter.inline(value, inFlow: true)) }
                    added.append((previous, texts))
                }
                return apply(list.replacements(removing: changes.removed, adding: added))
            }
            for index in changes.removed {
                guard let lines = lines(ofElement: items[index]) else { return false }
                patch.remove(lines)
            }
            for (previous, values) in changes.added {
                let item = items[previous ?? 0]
                guard let lines = lines(ofElement: item), let dash = dash(of: item) else { return false }
                var writer = YAMLWriter(style: style)
                try writer.writeElements(
                    values, indent: String(repeating: " ", count: layout.column(of: dash)))
                let place = previous == nil ? lines.lowerBound : lines.upperBound
                insertLines(writer.output, at: place, newline: style.newline)
            }
            return true
        }

        mutating func replaceElement(_ node: Int, of array: Int, with value: PrefsValue) throws(PrefsError) {
            let (item, owner) = (place(of: node).item, place(of: array).item)
            try checkAnchors(item)
            let form = tree.form(of: item)
            if form.isBlockScalar { return try replaceBlockText(item, with: value) }
            let start = Int(tree[item].start)
            let isInFlow = tree.form(of: owner) == .flow
            let column = layout.column(of: start)
            let isCollection =
                switch value {
                case .array(let elements): !elements.isEmpty
                case .dictionary(let content): !content.isEmpty
                default: false
                }
            guard !isInFlow, isCollection, column >= 2 else {
                let text = try YAMLWriter.inline(value, like: form, inFlow: isInFlow)
                return patch.replace(start..<tree.end(of: item), with: Array(text.utf8))
            }
            var writer = YAMLWriter(style: style)
            try writer.writeElements([value], indent: String(repeating: " ", count: column - 2))
            // The file already has the indentation, the dash and the end of the last line.
            let text = writer.output.dropFirst(column).dropLast(style.newline.utf8.count)
            patch.replace(start..<tree.end(of: item), with: Array(text))
        }

        /// Returns the offset of the dash of an element of a sequence by indentation.
        private func dash(of item: Int) -> Int? {
            var offset = Int(tree.place(of: item).entryStart)
            while offset > 0, layout.bytes[offset - 1].isBlank { offset -= 1 }
            return offset > 0 && layout.bytes[offset - 1] == UInt8(ascii: "-") ? offset - 1 : nil
        }

        /// Returns the lines of an element of a sequence by indentation. They include the comments right above
        /// the element, and the comments below it that are indented by more than its dash. `nil` if the dash is
        /// not at the start of a line.
        private func lines(ofElement item: Int) -> Range<Int>? {
            guard let dash = dash(of: item), let indentation = layout.indentation(before: dash) else {
                return nil
            }
            var start = indentation.lowerBound
            while start > 0 {
                let previous =
                    layout.bytes[..<(start - 1)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                let line = layout.bytes[previous..<start].drop(while: \.isIndentation)
                guard line.first == UInt8(ascii: "#"), line.startIndex - previous <= indentation.count else {
                    break
                }
                start = previous
            }
            let end = layout.endOfLine(at: tree.end(of: item))
            return start..<layout.endOfComments(after: end, indentedMoreThan: indentation.count)
        }
    }
#endif
