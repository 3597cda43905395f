/// The way in which the dictionaries that several layers hold for one key are combined.
///
/// Given `["a": 1, "b": 2]` in the system layer and `["b": 3]` in the user layer, the value is `["b": 3]`
/// with ``replacing`` and `["a": 1, "b": 3]` with ``deep``.
public enum PrefsMerge: Sendable, Hashable {
    /// The topmost layer's dictionary replaces the others.
    case replacing
    /// The dictionaries are merged by key; where several have an entry, the highest layer's wins.
    case deep
    /// The fields of a struct are merged, the default's below those of all layers, and a field that is wrong is
    /// rejected alone, so that its next lower value is effective. A dictionary or an array within the struct
    /// counts as one field. This is how a key of a `Codable` type merges; other codings merge as with
    /// ``deep``.
    case fields
}
