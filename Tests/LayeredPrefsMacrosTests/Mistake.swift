/// A mistake, its only message, and the fix-its that come with it.
struct Mistake {
    var source: String
    var message: String
    /// The effects of the fix-its, which the compiler describes in notes.
    var fixIts: [String] = []
    /// The errors of the real compiler if they are not just the message. The message is then a note.
    var errors: [String]?
    /// True if the compiler rejects the attribute before it expands the macro. The macro then reports nothing.
    var isSilent: Bool { errors?.first?.hasSuffix("in macro expansion") ?? false }

    /// Returns a mistake in a member of an otherwise correct schema.
    static func member(
        _ member: String, _ message: String, fixIts: [String] = [], errors: [String]? = nil
    ) -> Self {
        Mistake(
            source: """
                @PrefsSchema final class Prefs {
                    @Storage var storage = .dictionary
                    \(member)
                }
                """,
            message: message, fixIts: fixIts, errors: errors)
    }

    /// Returns a mistake in the class itself.
    static func whole(
        _ source: String, _ message: String, fixIts: [String] = [], errors: [String]? = nil
    ) -> Self {
        Mistake(source: source, message: message, fixIts: fixIts, errors: errors)
    }
}

extension Mistake {
    static let all = variables + types + options + classes + repetitions

    private static let variables: [Mistake] = [
        .whole(
            "class Plain { @Pref var a: Int = 1 }",
            "@Pref requires a class with '@PrefsSchema': add that attribute to the class"),
        .whole(
            "@Pref var a: Int = 1",
            "@Pref requires a class with '@PrefsSchema': add that attribute to the class"),
        .member(
            "@Pref let a: Int = 1",
            "@Pref requires a variable: replace 'let' with 'var'",
            fixIts: ["replace 'let' with 'var'"],
            errors: ["cannot expand accessor macro on variable declared with 'let'"]),
        .member(
            "@Pref static var a: Int = 1", "@Pref is stored per schema instance: remove 'static'",
            fixIts: ["remove 'static'"]),
        .member(
            "@Pref lazy var a: Int = 1", "@Pref is stored per schema instance: remove 'lazy'",
            fixIts: ["remove 'lazy'"], errors: ["'lazy' cannot be used on a computed property"]),
        .member(
            "@Pref nonisolated var a: Int = 1", "@Pref is stored per schema instance: remove 'nonisolated'",
            fixIts: ["remove 'nonisolated'"]),
        .member(
            "@Pref @RawPref var a: Int = 1", "conflicting attributes: remove '@Pref' or '@RawPref'",
            fixIts: ["remove '@RawPref'"]),
        .member(
            "@Pref @Pref var a: Int = 1", "duplicate attribute: remove one '@Pref'",
            fixIts: ["remove '@Pref'"]),
        .member(
            "@PrefGroup @Pref var a: HTTPPrefs", "conflicting attributes: remove '@PrefGroup' or '@Pref'",
            fixIts: ["remove '@Pref'"]),
        .member(
            "@Pref var a: Int { 1 }", "@Pref generates the accessors: remove this one"),
        .member(
            "@Pref var a: Int = 1 { didSet {} }",
            "@Pref generates the accessors: remove this one"),
        .member(
            "@PrefGroup var a: HTTPPrefs?",
            "'a' needs the type of a '@PrefsGroup' class, as in '@PrefGroup var a: HTTPPrefs'"),
        .member(
            "@PrefGroup var a: HTTPPrefs = HTTPPrefs()",
            "the schema creates 'a': remove its initial value", fixIts: ["remove '= HTTPPrefs()'"],
            errors: ["'init()' is unavailable: the schema creates the group: remove the initial value"]
        ),
        .member(
            "@PrefGroup(key: \"a..b\") var a: HTTPPrefs",
            "'a..b' is not a dotted path: use names separated by single dots, as in 'http.port'"),
    ]

    private static let types: [Mistake] = [
        .member(
            "@Pref var a", "'a' needs a type: write it, as in 'var a: String?', or a default that implies it",
            errors: ["type annotation missing in pattern"]),
        .member(
            "@Pref var a = nil",
            "'a' needs a type: write it, as in 'var a: String?', or a default that implies it",
            errors: ["'nil' requires a contextual type"]),
        .member(
            "@Pref var a = .one",
            "'a' needs a type: write it, as in 'var a: String?', or a default that implies it",
            errors: ["reference to member 'one' cannot be resolved without a contextual type"]),
        .member(
            "@Pref var a: Int", "'a' needs a default: write '= …' after it, or make its type 'Int?'",
            fixIts: ["make it optional"]),
        .member(
            "@Pref var a: Int? = 5",
            "'a' is optional, so its default is nil: remove the default or make the type non-optional",
            fixIts: ["remove '= 5'", "make it 'Int'"]),
        .member(
            "@Pref var a: Optional<Int> = 5",
            "'a' is optional, so its default is nil: remove the default or make the type non-optional",
            fixIts: ["remove '= 5'", "make it 'Int'"]),
        .member(
            "@Pref var a: Int!", "'a' cannot be implicitly unwrapped: make its type 'Int?'",
            fixIts: ["use '?'"]),
        .member(
            "@Pref var a: [Any]?", "'[Any]' holds values of any type: make it '[PrefsValue]'",
            fixIts: ["make it '[PrefsValue]?'"]),
        .member(
            "@RawRepresentablePref var a = Fruit.apple",
            "'a' is stored by its type: write its type, as in 'var a: String = …'"),
    ]

    private static let options: [Mistake] = [
        .member(
            "@Pref(key: \"http..port\") var a: Int = 1",
            "'http..port' is not a dotted path: use names separated by single dots, as in 'http.port'"),
        .member(
            "@Pref(key: \"\") var a: Int = 1",
            "'' is not a dotted path: use names separated by single dots, as in 'http.port'"),
        .member(
            "@Pref(env: \"MY-PORT\") var a: Int = 1",
            "'MY-PORT' is not an environment variable name: use letters, digits and '_', as in 'MYD_PORT'"
        ),
        .member("@Pref(in: 1...2) var a: Bool = true", "'in:' does not apply to 'Bool': use 'validate:'"),
        .member("@Pref(in: 1...2) var a: [Int] = []", "'in:' does not apply to '[Int]': use 'validate:'"),
        .member(
            "@Pref(in: 1...2) var a: String = \"\"",
            "1...2 has integer bounds, but the type is 'String': use bounds of that type or 'validate:'"),
        .member(
            "@Pref(in: 1...60) var a = Duration.seconds(5)",
            "1...60 has integer bounds, but the type is 'Duration': use bounds of that type or 'validate:'"),
        .member(
            "@Pref(in: 1...60) var a: Duration = .seconds(5)",
            "1...60 has integer bounds, but the type is 'Duration': use bounds of that type or 'validate:'"),
        .member(
            "@Pref(in: 1...2) var a: Int = 3", "the default 3 is outside 1...2: change one of them"),
        .member(
            "@Pref(in: 0..<2) var a: Int = 2", "the default 2 is outside 0..<2: change one of them"),
        .member(
            "@Pref(in: 0...) var a: Int = -1", "the default -1 is outside 0...: change one of them"),
        .member(
            "@Pref(formerly: \"b\", \"a\") var a: Int = 1",
            "'a' is the key's current name: remove it from 'formerly:'"),
        .member(
            "@Pref(formerly: \"b\") var a: Int = 1; @Pref var b: Int = 2",
            "'b' cannot be a former name of 'a', because 'b' is stored there: remove it from 'formerly:'"),
        .member(
            "@Pref(encode: { $0 }) var a: Int?", "a coding needs both 'encode:' and 'decode:': add 'decode:'",
            errors: [
                "missing argument for parameter 'decode' in macro expansion",
                "generic parameter 'StorageValue' could not be inferred",
            ]),
        .member(
            "@Pref(merge: .deep) var a: [Int] = []",
            "'merge: .deep' applies to dictionaries, but the type is '[Int]': remove it"),
        .member(
            "@Pref(releaseValue: 1) var a: Int = 2",
            "'releaseValue:' applies to preferences of debug builds: add 'debugOnly: true'"),
        .member(
            "@Pref(validate: { $0 > 1 }) var a: Int = 2",
            "the condition's parameter needs a type: write '{ (value: Int) in … }'"),
    ]

    private static let classes: [Mistake] = [
        .whole(
            "@PrefsSchema struct Prefs { @Storage var storage = .dictionary; @Pref var a: Int = 1 }",
            "@PrefsSchema applies to classes: replace 'struct' with 'final class'"),
        .whole(
            "@PrefsSchema actor Prefs { @Pref var a: Int = 1 }",
            "@PrefsSchema applies to classes: replace 'actor' with 'final class'"),
        .whole(
            "@PrefsSchema final class Prefs { @Pref var a: Int = 1 }",
            "a schema needs a storage: add one, such as '@Storage var storage = .dictionary'",
            fixIts: ["add '@Storage var storage = .dictionary'"]),
        .whole(
            "@PrefsSchema final class Prefs { var storage = DictionaryPrefsStorage() }",
            "a schema must notice when its storage is replaced: mark 'storage' with '@Storage'"),
        .whole(
            "@PrefsSchema final class Prefs { @Storage var store = .dictionary }",
            "this property must be named 'storage': rename 'store'"),
        .member(
            "@StorageMode var mode = .storageOnly",
            "this property must be named 'storageMode': rename 'mode'"),
        .whole(
            "@PrefsGroup struct Prefs { @Pref var a: Int = 1 }",
            "@PrefsGroup applies to classes: replace 'struct' with 'final class'"),
        .whole(
            "@PrefsSchema @Observable final class Prefs { @Storage var storage = .dictionary }",
            "@PrefsSchema already makes the class observable: remove '@Observable'"),
        .whole(
            "@PrefsGroup final class Prefs { @Storage var storage = .dictionary }",
            "a group uses the storage of its schema: remove this property or use '@PrefsSchema'"),
        .whole(
            "@PrefsSchema class Prefs { @Storage var storage = .dictionary }",
            "'Prefs' is not Sendable, because subclasses may add variables: make it 'final'", errors: []),
        .member(
            "var count = 0",
            "'count' prevents 'Prefs' from being Sendable: make it a 'let', a preference or computed",
            errors: []),
        .whole(
            """
            @MainActor @PrefsSchema final class Prefs {
                @Storage var storage = .dictionary
                @OtherActor @Pref var a: Int = 1
            }
            """,
            "'a' cannot be isolated to 'OtherActor' in a schema isolated to 'MainActor': remove '@OtherActor'"
        ),
        .whole(
            "@PrefsSchema final class Prefs<T> { @Storage var storage = .dictionary; @Pref var a = 1 }",
            "'a' is in a generic class: write its type, as in 'var a: String = …'"),
    ]

    private static let repetitions: [Mistake] = [
        .member(
            "@Pref var a: Int = 1; @Pref(key: \"a\") var b: Int = 1",
            "'a' and 'b' are both stored under 'a': give one of them another 'key:'"),
        .member(
            "@Pref var readTimeout: Int = 1; @Pref(key: \"read.timeout\") var b: Int = 1",
            "'readTimeout' and 'b' would both be set by 'READ_TIMEOUT': give one of them another name with 'env:'"
        ),
        .member(
            "@Pref(env: \"X\") var a: Int = 1; @Pref(env: \"X\") var b: Int = 1",
            "'a' and 'b' would both be set by 'X': give one of them another name with 'env:'"),
        .member(
            "@Pref(key: newName, env: \"X\") var a: Int = 1; @Pref(key: oldName, env: \"X\") var b: Int = 1",
            "'a' and 'b' would both be set by 'X': give one of them another name with 'env:'"),
    ]
}
