import PrefsDocuments

@testable import LayeredPrefs

/// One reason to reject something new.
struct Problem: Sendable {
    /// Two problems are the same if these are equal: one layer has the same wrong value of a key, in whichever of its files,
    /// or several keys have the same values that are wrong together.
    struct Identity: Sendable, Hashable {
        var layer: String?
        let key: String
        let values: [PrefsValue?]
        let code: PrefsError.Code
    }

    let identity: Identity
    /// The keys that it concerns.
    let keys: [PrefsKeyName]

    /// The problem of one value of a key.
    init(_ wrong: WrongValue) {
        identity = Identity(
            layer: wrong.rejected.layer, key: wrong.rejected.error.key ?? "",
            values: [wrong.rejected.value], code: wrong.rejected.error.code)
        keys = [wrong.key]
    }

    /// A problem of the values of several keys.
    init(of keys: [PrefsKeyName], values: [PrefsValue?]) {
        identity = Identity(
            key: keys.map(\.name).joined(separator: ", "), values: values, code: .invalid)
        self.keys = keys
    }
}

/// A value that its key rejects.
struct WrongValue {
    let key: PrefsKeyName
    let rejected: RejectedValue
    /// True if an acceptable value stands above it, so that it does not count.
    let isShadowed: Bool
}

extension [Problem] {
    /// Returns the problems that others do not have, or not as often.
    func subtracting(_ others: [Problem]) -> [Problem] {
        var known: [Problem.Identity: Int] = [:]
        for other in others { known[other.identity, default: 0] += 1 }
        return filter { problem in
            guard let count = known[problem.identity], count > 0 else { return true }
            known[problem.identity] = count - 1
            return false
        }
    }
}
