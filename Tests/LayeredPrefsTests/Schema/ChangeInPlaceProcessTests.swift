import Foundation
import LayeredPrefs
import TestSupport
import Testing

/// Two processes that change parts of one property of a user's file, as two windows of a program do.
///
/// Both read the property before either of them writes. `LAYEREDPREFS_CHANGES=1000` sets the number of
/// changes by each process; the default is 20.
@Suite struct ChangeInPlaceProcessTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["LAYEREDPREFS_CHANGES"].flatMap(Int.init) ?? 20

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder["u.toml"]
    }

    @Test func `two processes that set entries of one dictionary keep the entries of both`() throws {
        try run([["features", "a", "\(Self.rounds)"], ["features", "b", "\(Self.rounds)"]])
        let features = TwoWindows(path).features
        #expect(features.count == 2 * Self.rounds)
        let lost = ["a", "b"].flatMap { name in (1...Self.rounds).map { "\(name)\($0)" } }
            .filter { features[$0] != true }
        #expect(lost == [])
    }

    @Test(arguments: [1, 2, rounds])
    func `two processes that set a field each of one struct keep both fields`(count: Int) throws {
        try run([["width", "-", "\(count)"], ["height", "-", "\(count)"]])
        #expect(TwoWindows(path).window == TwoWindows.Window(width: count, height: count))
    }

    @Test func `an assignment stores the whole value, whatever another process has changed`() throws {
        try run([["assign width", "-", "1"], ["assign height", "-", "1"]])
        let window = TwoWindows(path).window
        #expect(window.width + window.height == 1, "one process overwrites the field of the other: \(window)")
    }

    /// Runs each job in its own process. None of them writes before all have read.
    private func run(_ jobs: [[String]]) throws {
        let holder = try FileLockHolder(path)
        let children = try jobs.map { try ChildProcess("ChangeInPlaceJobs", [path] + $0) }
        defer { for child in children { child.wait() } }
        defer { holder.release() }
        try holder.waitForWaiters(children.count)
        holder.release()
        for child in children {
            let (isSuccess, output) = child.wait()
            #expect(isSuccess, "\(output)")
        }
    }
}

/// The jobs of the child processes; skipped in the main process.
@Suite(.enabled(if: ChildProcess.job != nil, "only for child processes"))
struct ChangeInPlaceJobs {
    @Test func `perform the job`() throws {
        let words = ChildProcess.job ?? []
        let prefs = TwoWindows(words[0])
        for round in 1...(Int(words[3]) ?? 0) {
            switch words[1] {
            case "features": prefs.features["\(words[2])\(round)"] = true
            case "width": prefs.window.width = round
            case "height": prefs.window.height = round
            case "assign width": prefs.window = TwoWindows.Window(width: round, height: prefs.window.height)
            case "assign height": prefs.window = TwoWindows.Window(width: prefs.window.width, height: round)
            default: Issue.record("no such job: \(words)")
            }
        }
    }
}

@PrefsSchema private final class TwoWindows {
    struct Window: Codable, Equatable, Sendable { var width = 0, height = 0 }

    @Storage var storage: PrefsStack
    @Pref var window = Window()
    @Pref(merge: .deep) var features: [String: Bool] = [:]

    init(_ path: String) {
        var options = FilePrefsStorage.Options()
        options.writing.lockTimeout = .seconds(120)
        options.diagnostics = PrefsDiagnosticHandler { if $0.severity == .error { Issue.record("\($0)") } }
        let file = FilePrefsStorage(path: path, options: options)
        storage = PrefsStack { PrefsLayer(.user, file) }
    }
}
