/// A way to combine the dictionaries that several layers hold for one key.
///
/// Given `["a": 1, "b": 2]` in the system layer and `["b": 3]` in the user layer, the value is `["b": 3]`
/// with ``replacing`` and `["a": 1, "b": 3]` with ``deep``.
public enum PrefsMerge: Sendable, Hashable {
    /// The topmost layer's dictionary replaces the others.
    case replacing
    /// The dictionaries are merged by key. If several layers have an entry, the highest layer's entry wins.
    case deep
    /// The fields of a struct are merged, with the fields of the default below all layers. A wrong field is
    /// rejected alone, so that its next lower value is effective. A dictionary or an array within the struct
    /// counts as one field.
    ///
    /// By default, a key of a `Codable` struct merges in this way. With a coding of another kind, ``fields`` is
    /// the same as ``deep``.
    case fields
}
