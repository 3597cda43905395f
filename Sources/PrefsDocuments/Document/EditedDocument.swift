/// Checks what an edit does to the rest of a file. The replaced text alone does not show this: in YAML, the
/// surroundings of a text decide how it is read.
extension PrefsDocument {
    /// Returns true if this document has the content of an older one after these edits, and no other change.
    ///
    /// The comparison decodes only the edited values.
    func isResult(of edits: EditTree, in old: PrefsDocument) -> Bool {
        isResult(of: edits, DocumentComparison(old, self), old.root, root)
    }

    private func isResult(
        of edits: EditTree, _ comparison: DocumentComparison, _ before: PrefsNode, _ after: PrefsNode
    ) -> Bool {
        var isResult = true
        comparison.forEachPair(before.index, after.index) { old, new in
            let (old, new) = (old.map(before.sibling), new.map(after.sibling))
            if let change = (new ?? old).flatMap({ edits[$0.document.text.key(of: $0.raw)] }) {
                isResult = isEffect(of: change, comparison, old, new)
            } else {
                isResult = if let old, let new { comparison.areEqual(old.index, new.index) } else { false }
            }
            return isResult
        }
        // A change of a key that neither document has creates nothing.
        return isResult && edits.entries.allSatisfy { after[$0.key] != nil || $0.edit.created == nil }
    }

    private func isEffect(
        of change: EditTree.Change, _ comparison: DocumentComparison, _ before: PrefsNode?,
        _ after: PrefsNode?
    ) -> Bool {
        guard case .change(let edits) = change, let before else {
            return after?.value == change.created?.withStandardNaN
        }
        guard let after, before.kind == after.kind else { return false }
        return before.kind == .dictionary
            ? isResult(of: edits, comparison, before, after)
            : comparison.areEqual(before.index, after.index)
    }
}

extension PrefsNode {
    fileprivate func sibling(_ index: Int) -> PrefsNode { PrefsNode(document: document, index: index) }
}

extension PrefsValue {
    /// The value as YAML reads it back: it has one NaN only.
    fileprivate var withStandardNaN: PrefsValue {
        switch self {
        case .real(let value) where value.isNaN: .real(.nan)
        case .array(let elements): .array(elements.map(\.withStandardNaN))
        case .dictionary(let content): .dictionary(content.mapValues(\.withStandardNaN))
        default: self
        }
    }
}
