import Foundation
import Testing

/// A way of changing a file, in the format described in `Scenarios/README.md`.
struct Scenario: Sendable, CustomTestStringConvertible {
    let name: String
    private(set) var watched = "f"
    private(set) var needs: [String] = []
    private(set) var isSeenByPollOnly = false
    /// True if `stat` reports the same values before and after the change.
    private(set) var leavesNoTrace = false
    private(set) var parts: [Substring: String] = [:]

    var testDescription: String { name }

    static let all: [Scenario] = {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scenarios")
        let files = try? FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "sh" }
            .sorted { $0.path < $1.path }.compactMap(Scenario.init)
    }()

    private init?(_ file: URL) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        name = file.deletingPathExtension().lastPathComponent
        var part: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") {
                part = line.dropFirst(3)
                parts[line.dropFirst(3)] = ""
            } else if let part {
                parts[part, default: ""] += line + "\n"
            } else {
                readHeader(line)
            }
        }
    }

    private mutating func readHeader(_ line: Substring) {
        let pair = line.dropFirst(2).split(separator: ": ", maxSplits: 1)
        guard pair.count == 2 else { return }
        switch pair[0] {
        case "watch": watched = String(pair[1])
        case "needs": needs = pair[1].split(separator: " ").map(String.init)
        case "seen by": isSeenByPollOnly = pair[1] == "poll"
        case "trace": leavesNoTrace = pair[1] == "none"
        default: break
        }
    }

    /// The reason why the scenario cannot run on this machine; nil if it can.
    var obstacle: String? {
        needs.first { !Shell.has($0) }.map { "requires \($0)" }
    }
}

extension Shell {
    /// Returns true if a scenario's requirement is met.
    static func has(_ need: String) -> Bool {
        switch need {
        case "mount", "tmpfs": canMount
        case _ where need.hasPrefix("/"): FileManager.default.isWritableFile(atPath: need)
        default: run("command -v \(need) > /dev/null", in: "/") == 0
        }
    }

    private static let canMount: Bool = {
        guard let sandbox = try? Sandbox() else { return false }
        return run("mount -t tmpfs none . && umount \"$PWD\" 2> /dev/null", in: sandbox.path) == 0
    }()
}
