import LayeredPrefs
import LayeredPrefsTesting
import Observation
import PrefsSystem
import Testing

/// The kinds of storages that hold the key `number` with the value 1.
enum CallbackStorage: CaseIterable {
    case dictionary, file, system, environment, arguments, stack, foreign, foreignWithoutNotifications

    /// True if the storage notifies of its changes.
    var notifies: Bool { self != .foreignWithoutNotifications }

    fileprivate func make(_ sandbox: PrefsSandbox) throws -> any PrefsStorage {
        let content: [String: PrefsValue] = ["number": 1]
        switch self {
        case .dictionary: return DictionaryPrefsStorage(values: content)
        case .file:
            try sandbox.write(content, to: sandbox.user)
            return FilePrefsStorage(path: sandbox.user, options: .silent)
        case .system:
            try sandbox.write(content, to: sandbox.vendor)
            return SystemPrefsStorage(locations: sandbox.locations.system, options: .silent)
        case .environment: return EnvironmentPrefsStorage(prefix: "MYD_", environment: ["MYD_NUMBER": "1"])
        case .arguments: return ArgumentsPrefsStorage(["--set", "number=1"])
        case .stack:
            return PrefsStack(diagnostics: .silent) {
                PrefsLayer("inner", DictionaryPrefsStorage(values: content))
            }
        case .foreign: return ForeignStorage(content, notifies: true)
        case .foreignWithoutNotifications: return ForeignStorage(content, notifies: false)
        }
    }
}

/// The kinds of callbacks.
enum Callback: CaseIterable {
    case validator, encoding, decoding, computedDefault, rule, diagnosticsSubscriber
    case keyObserver, changeSetObserver, layerObserver, stackSource, layerSource, schemaObserver
    case foreignSnapshot, foreignWrite, foreignReload, foreignStatus
    case transactionBody, overridesBody, updateBody

    /// True if the callback is called only if all layers notify of their changes.
    var needsNotifications: Bool {
        switch self {
        case .keyObserver, .changeSetObserver, .stackSource, .schemaObserver: true
        default: false
        }
    }

    /// True if the callback is called during a commit, when nothing can be written.
    var isInTurn: Bool { self == .rule || self == .foreignSnapshot }

    /// True if the callback may be called during a commit, which checks new values, or during a read.
    var mayBeInTurn: Bool { self == .validator || self == .decoding }
}

/// Runs the closure that it is armed with, once, at the next callback.
final class CallbackHook: Sendable {
    private let body = Lock<(@Sendable () -> Void)?>(nil)

    func arm(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    func fire() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}

/// A stack of three storages: one of the given kind, one of another module, and one in memory.
final class CallbackBench: Sendable {
    let hook = CallbackHook()
    let stack: PrefsStack
    let subject: any PrefsStorage
    let memory = DictionaryPrefsStorage()
    private let foreign: ForeignStorage
    private let sandbox: PrefsSandbox
    private let observations = Lock<Set<PrefsObservation>>([])
    private let schema = Lock<CallbackPrefs?>(nil)

    init(_ kind: CallbackStorage) throws {
        let sandbox = try PrefsSandbox()
        let subject = try kind.make(sandbox)
        let foreign = ForeignStorage([:], notifies: true)
        let (memory, hook) = (memory, hook)
        let diagnostics = PrefsDiagnosticHandler {
            if $0.error.key?.hasPrefix("wrong") == true { hook.fire() }
        }
        stack = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer("subject", subject)
            PrefsLayer("foreign", foreign)
            PrefsLayer(.overrides, memory)
        }
        (self.sandbox, self.subject, self.foreign) = (sandbox, subject, foreign)
    }

    /// Installs a callback. Returns a closure that makes the library call it.
    func prepare(_ callback: Callback) throws -> @Sendable (Int) -> Void {
        let (stack, memory, hook) = (stack, memory, hook)
        switch callback {
        case .validator:
            let key = PersistentKey(
                "validated", defaultValue: 0,
                .validate { _ in
                    hook.fire()
                    return nil
                })
            return { number in
                try? memory.store(number, "validated")
                _ = stack.get(key)
            }
        case .encoding, .decoding:
            let key = PersistentKey("coded", defaultValue: 0, coding: HookedCoding.make(callback, hook))
            return { number in
                _ = try? stack.set(key, to: number, in: .overrides)
                _ = stack.get(key)
            }
        case .computedDefault:
            let key = PersistentKey<Int>("computed") {
                hook.fire()
                return 0
            }
            return { _ in _ = stack.get(key) }
        case .rule:
            stack.constrain(PersistentKey("ruled", defaultValue: 0)) { _ in
                hook.fire()
                return nil
            }
            return { try? memory.store($0, "ruled") }
        case .diagnosticsSubscriber:
            return { number in
                stack.declare(PersistentKey("wrong\(number)", defaultValue: 0))
                _ = try? memory.setValue("text", forKey: "wrong\(number)")
            }
        case .transactionBody: return { _ in _ = try? stack.transaction { _ in hook.fire() } }
        case .overridesBody: return { _ in stack.withOverrides([:]) { hook.fire() } }
        case .updateBody:
            return { number in
                memory.update { content in
                    hook.fire()
                    content["updated"] = .integer(Int128(number))
                }
            }
        default: return try prepare(observing: callback)
        }
    }

    private func prepare(observing callback: Callback) throws -> @Sendable (Int) -> Void {
        let (stack, memory, foreign, hook) = (stack, memory, foreign, hook)
        let key = PersistentKey("observed", defaultValue: 0)
        let change: @Sendable (Int) -> Void = { try? memory.store($0, "observed") }
        switch callback {
        case .keyObserver: keep(stack.observe(key) { _ in hook.fire() })
        case .changeSetObserver: keep(stack.observe { _ in hook.fire() })
        case .layerObserver: keep(memory.observe(key) { _ in hook.fire() })
        case .stackSource: keep(try #require(stack.changeSource).observe { hook.fire() })
        case .layerSource: keep(try #require(memory.changeSource).observe { hook.fire() })
        case .schemaObserver:
            let prefs = CallbackPrefs(stack)
            schema.withLock { $0 = prefs }
            return { number in
                withObservationTracking {
                    _ = prefs.observed
                } onChange: {
                    hook.fire()
                }
                change(number)
            }
        case .foreignSnapshot: foreign.onSnapshot.withLock { $0 = { hook.fire() } }
        case .foreignWrite:
            foreign.onWrite.withLock { $0 = { hook.fire() } }
            return { number in
                _ = try? stack.setValue(.integer(Int128(number)), forKey: "written", in: "foreign")
            }
        case .foreignReload:
            foreign.onReload.withLock { $0 = { hook.fire() } }
            return { _ in stack.reload() }
        case .foreignStatus:
            foreign.onStatus.withLock { $0 = { hook.fire() } }
            return { _ in _ = stack.status }
        default: Issue.record("no way to install \(callback)")
        }
        return change
    }

    private func keep(_ observation: PrefsObservation) {
        observations.withLock { _ = $0.insert(observation) }
    }
}

@PrefsSchema final class CallbackPrefs {
    @Storage var storage: PrefsStack
    @Pref var observed: Int = 0

    init(_ storage: PrefsStack) { self.storage = storage }
}

/// A storage as a program could write it, with a callback in each requirement.
final class ForeignStorage: PrefsStorage {
    typealias Action = Lock<(@Sendable () -> Void)?>

    let onSnapshot = Action(nil)
    let onWrite = Action(nil)
    let onReload = Action(nil)
    let onStatus = Action(nil)
    private let content: Lock<[String: PrefsValue]>
    let changeSource: PrefsChangeSource?

    init(_ content: [String: PrefsValue], notifies: Bool) {
        self.content = Lock(content)
        changeSource = notifies ? PrefsChangeSource() : nil
    }

    var snapshot: PrefsSnapshot {
        onSnapshot.withLock { $0 }?()
        return PrefsSnapshot(content.withLock { $0 })
    }

    var isWritable: Bool { true }

    var status: [PrefsSourceStatus] {
        onStatus.withLock { $0 }?()
        return [PrefsSourceStatus(isWritable: true)]
    }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        onWrite.withLock { $0 }?()
        content.withLock { $0[key] = value }
        changeSource?.advance()
        return .effective
    }

    func reload() { onReload.withLock { $0 }?() }
}

/// A coding of integers that calls a hook.
private enum HookedCoding {
    static func make(_ callback: Callback, _ hook: CallbackHook) -> ClosurePrefsCoding<Int, Int> {
        ClosurePrefsCoding(
            encode: { value in
                if callback == .encoding { hook.fire() }
                return value
            },
            decode: { stored in
                if callback == .decoding { hook.fire() }
                return stored
            })
    }
}

extension DictionaryPrefsStorage {
    fileprivate func store(_ number: Int, _ key: String) throws {
        try setValue(.integer(Int128(number)), forKey: key)
    }
}

extension FilePrefsStorage.Options {
    fileprivate static var silent: Self {
        var options = Self()
        options.diagnostics = .silent
        return options
    }
}
