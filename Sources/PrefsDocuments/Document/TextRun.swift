/// The content of a string, key or data in a file: where it lies, and whether it needs decoding.
struct TextRun {
    var range: Range<Int>
    /// It is not the UTF-8 it stands for: references, escapes, comments, UTF-16.
    var isEncoded = false
}
