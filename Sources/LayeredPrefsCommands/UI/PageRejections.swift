import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The rejected revisions and the broken files of a subject, with the lines that are wrong.
struct PageRejections: Encodable {
    struct Rejection: Encodable {
        let file: String?
        /// Seconds since 1970.
        let since: Double?
        let problems: [Problem]
    }

    struct Problem: Encodable {
        let text: String
        var line: Int?
        /// The number of the first line of ``excerpt``.
        var start: Int?
        var excerpt: [String]?
    }

    struct Change: Encodable {
        let key: String
        let value: String?
        let isSecret: Bool
    }

    /// The files that the subject reads.
    private(set) var files: [String] = []
    private(set) var rejections: [Rejection] = []
    /// The values that a restart would use instead of the active values.
    private(set) var restart: [Change] = []
    /// True if a restart would fail.
    private(set) var restartFails = false

    init(_ subject: PageSubject, secrets: SecretPaths) throws {
        guard let status = try subject.reply(to: InspectionRequest(.status)).status else { return }
        let broken = status.sources.filter { $0.problem != nil }
        let rejected = status.rejections
        files = status.sources.compactMap(\.file)
        if broken.isEmpty, rejected.isEmpty { return }
        let keys = try subject.reply(to: InspectionRequest(.list)).keys ?? []
        let masked = MaskedText(secrets: secrets.adding(keys))
        rejections =
            rejected.map { rejection in
                Rejection(
                    file: rejection.file, since: rejection.since,
                    problems: rejection.problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
                        .map { Problem($0, masked) })
            }
            + broken.map { source in
                Rejection(
                    file: source.file, since: nil,
                    problems: [Problem(brokenFile: source.file, source.problem ?? "", masked)])
            }
        let drift = try subject.reply(to: InspectionRequest(.drift)).drift ?? []
        restartFails = drift.contains { $0.reason == .fails }
        restart = drift.filter { [.rejected, .broken].contains($0.reason) }.map { difference in
            Change(key: difference.key, value: difference.restarted, isSecret: difference.isSecret)
        }
    }
}

extension PageRejections.Problem {
    fileprivate init(_ problem: InspectionReply.Rejection.Problem, _ masked: MaskedText) {
        self.init(text: problem.text)
        show(problem.file, problem.line, masked)
    }

    /// - Parameter text: A sentence that begins with the place, such as `system /etc/myd.toml:3:8: …`.
    fileprivate init(brokenFile file: String?, _ text: String, _ masked: MaskedText) {
        self.init(text: text)
        guard let file, let place = text.firstRange(of: "\(file):") else { return }
        show(file, Int(text[place.upperBound...].prefix { $0.isNumber }), masked)
    }

    private mutating func show(_ file: String?, _ line: Int?, _ masked: MaskedText) {
        guard let file, let line, let read = try? PrefsFileReader.read(file),
            let shown = masked.excerpt(of: read.bytes, path: file, line: line)
        else { return }
        (self.line, start, excerpt) = (line, shown.start, shown.lines)
    }
}
