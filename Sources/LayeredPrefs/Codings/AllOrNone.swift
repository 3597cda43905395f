extension Array {
    /// Returns the transformed elements, in an array that does not grow; `nil` if an element has no result.
    package func allOrNone<Result>(_ transform: (Element) -> Result?) -> [Result]? {
        var results: [Result] = []
        results.reserveCapacity(count)
        for element in self {
            guard let result = transform(element) else { return nil }
            results.append(result)
        }
        return results
    }
}

extension Dictionary {
    /// Returns the transformed values; `nil` if a value has no result.
    package func allOrNone<Result>(_ transform: (Value) -> Result?) -> [Key: Result]? {
        var results = [Key: Result](minimumCapacity: count)
        for (key, value) in self {
            guard let result = transform(value) else { return nil }
            results[key] = result
        }
        return results
    }
}
