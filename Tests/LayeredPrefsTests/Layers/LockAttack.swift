@testable import LayeredPrefs

/// One combination of the ways to override a locked key.
struct LockAttack: Sendable {
    /// The time of the attack relative to the opening of the stack and to the lock.
    enum Moment: CaseIterable { case beforeOpening, afterLocking, beforeLocking }

    enum LockPlace: CaseIterable { case file, fileWithWildcard, code, lowerLayer }

    /// The name that the lock contains: the key's, a dictionary's above it, or a former name.
    enum Locked: CaseIterable { case key, parent, root, formerName, formerParent }

    /// The layer that sets the good value; with `none`, the key's default is the good value.
    enum Good: CaseIterable { case system, defaults, none }

    enum Declaration: CaseIterable { case undeclared, declared, observed }

    enum Route: CaseIterable {
        case propertyList, json, jsonDuplicates, jsonEscapes, environment, arguments, namedFolder, namedDropIn
        case layerStorage, layerUpdate, untypedWrite, typedWrite, deferredWrite, transaction, scope,
            outerStack
    }

    enum Spelling: CaseIterable {
        case nested, literal, both, halfLiteral, parentString, parentArray, literalParentString, rootString
        case beneath, beneathLiteral, emptyParent, emptyRoot, former, formerNested, formerParentString
    }

    let moment: Moment
    let place: LockPlace
    let locked: Locked
    let good: Good
    let declaration: Declaration
    let route: Route
    let spelling: Spelling

    /// Every combination that exists.
    static var all: [LockAttack] {
        var all: [LockAttack] = []
        for moment in Moment.allCases {
            for place in LockPlace.allCases {
                for locked in Locked.allCases {
                    for good in Good.allCases where place != .lowerLayer || good != .system {
                        for declaration in Declaration.allCases {
                            for route in Route.allCases where route.isPossible(at: moment) {
                                for spelling in Spelling.allCases {
                                    all.append(
                                        LockAttack(
                                            moment: moment, place: place, locked: locked, good: good,
                                            declaration: declaration, route: route, spelling: spelling))
                                }
                            }
                        }
                    }
                }
            }
        }
        return all
    }
}

extension LockAttack.Route {
    /// Variables and arguments are read when the stack is opened; writes through the stack come after that.
    func isPossible(at moment: LockAttack.Moment) -> Bool {
        switch self {
        case .environment, .arguments: moment != .afterLocking
        case .layerStorage, .layerUpdate, .untypedWrite, .typedWrite, .deferredWrite, .transaction,
            .outerStack:
            moment != .beforeOpening
        default: true
        }
    }

    /// True for a value that is written to a file, or given at the start, together with others.
    var isPassive: Bool {
        switch self {
        case .propertyList, .json, .jsonDuplicates, .jsonEscapes, .environment, .arguments, .namedFolder,
            .namedDropIn:
            true
        default: false
        }
    }
}

/// An attack with the keys that it is made on.
struct AttackTarget: Sendable {
    let attack: LockAttack
    let root: String
    let former: String
    /// The locked key, or a key below the locked one.
    let key: PersistentKey<String>
    /// The dictionary that contains it.
    let parent: PersistentKey<[String: String]>

    init(_ attack: LockAttack, number: Int) {
        self.attack = attack
        (root, former) = ("p\(number)", "old\(number)")
        key = PersistentKey("\(root).sub.port", defaultValue: "default", .formerly("\(former).port"))
        parent = PersistentKey("\(root).sub", defaultValue: [:], .formerly(former))
    }

    var lock: String {
        switch attack.locked {
        case .key: "\(root).sub.port"
        case .parent: "\(root).sub"
        case .root: root
        case .formerName: "\(former).port"
        case .formerParent: former
        }
    }

    /// True if the lock is on the key's present name or above it, so that untyped reads see it even if the
    /// key is not declared.
    var isUntypedLocked: Bool {
        switch attack.locked {
        case .key, .parent, .root: true
        case .formerName, .formerParent: attack.declaration != .undeclared
        }
    }

    var expected: String { attack.good == .none ? "default" : "good" }

    /// The entries that the attack spells the key with.
    var entries: [String: PrefsValue] {
        switch attack.spelling {
        case .nested: [root: ["sub": ["port": "evil"]]]
        case .literal: ["\(root).sub.port": "evil"]
        case .both: [root: ["sub": ["port": "evil"]], "\(root).sub.port": "evil"]
        case .halfLiteral: ["\(root).sub": ["port": "evil"]]
        case .parentString: [root: ["sub": "evil"]]
        case .parentArray: [root: ["sub": ["evil"]]]
        case .literalParentString: ["\(root).sub": "evil"]
        case .rootString: [root: "evil"]
        case .beneath: [root: ["sub": ["port": ["x": "evil"]]]]
        case .beneathLiteral: ["\(root).sub.port.x": "evil"]
        case .emptyParent: [root: ["sub": [:]]]
        case .emptyRoot: [root: [:]]
        case .former: ["\(former).port": "evil"]
        case .formerNested: [former: ["port": "evil"]]
        case .formerParentString: [former: "evil"]
        }
    }

    /// True if no entry has the wrong type for a declared key or for a dictionary above it. An entry of the
    /// wrong type is rejected even without a lock.
    var isAcceptable: Bool {
        if attack.declaration == .undeclared { return true }
        return switch attack.spelling {
        case .nested, .literal, .both, .halfLiteral, .emptyParent, .emptyRoot, .former, .formerNested: true
        case .parentString, .parentArray, .literalParentString, .rootString, .beneath, .beneathLiteral,
            .formerParentString:
            false
        }
    }

    /// The writes by path that match the entries.
    var writes: [(key: String, value: PrefsValue)] { entries.map { ($0, $1) } }

    var description: String { "\(attack) on \(root)" }
}
