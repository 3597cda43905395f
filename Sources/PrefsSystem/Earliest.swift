/// Returns the earlier of two times; `nil` means never.
package func earliest<Time: Comparable>(_ a: Time?, _ b: Time?) -> Time? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}
