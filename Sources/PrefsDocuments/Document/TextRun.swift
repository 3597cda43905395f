/// The content of a string, key or data in a file: its range, and whether it must be decoded.
struct TextRun {
    var range: Range<Int>
    /// True if the bytes are not the UTF-8 text they represent: references, escapes, comments, UTF-16.
    var isEncoded = false
    /// True if the text is ASCII once it is decoded.
    var isASCII = true
}
