/// The keys from the coded value to a container within it, as a list that costs one allocation per container.
indirect enum CodingPath: Sendable {
    case root
    case key(any CodingKey, in: CodingPath)
    case index(Int, in: CodingPath)

    /// The number of containers around this place.
    var depth: Int {
        var (depth, path) = (0, self)
        while let outer = path.outer { (depth, path) = (depth + 1, outer) }
        return depth
    }

    var keys: [any CodingKey] {
        switch self {
        case .root: []
        case .key(let key, let outer): outer.keys + [key]
        case .index(let index, let outer): outer.keys + [ElementKey(index)]
        }
    }

    /// The names of the entries on the path; `nil` if the path leads through an array.
    var names: [String]? {
        switch self {
        case .root: []
        case .index: nil
        case .key(let key, let outer): outer.names.map { $0 + [key.stringValue] }
        }
    }

    private var outer: CodingPath? {
        switch self {
        case .root: nil
        case .key(_, let outer), .index(_, let outer): outer
        }
    }
}

/// The coding key of an array element, or of `super`.
struct ElementKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) { self.init(intValue) }

    static let inherited = ElementKey(stringValue: "super")
}

/// The text that stands for `nil` where absence is impossible, in arrays; the same as Foundation's.
let storedNil = PrefsValue.string("$null")
