import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The subject that the page shows: the files as a new process would see them, or a running process.
enum PageSubject {
    case files(InspectionAnswers)
    case process(LiveProcess)

    func reply(to request: InspectionRequest) throws -> InspectionReply {
        switch self {
        case .files(let answers):
            let reply = answers.reply(to: request)
            if let error = reply.error { throw PrefsError(.invalid, reason: error) }
            return reply
        case .process(let process): return try process.client.ask(request)
        }
    }

    /// Calls `body` with the current status and then with each change set. Also calls it with `nil` from time to
    /// time. Returns when `body` returns false or the process ends.
    func follow(_ body: (InspectionReply?) -> Bool) throws {
        switch self {
        case .files(let answers): answers.follow(body)
        case .process(let process):
            try process.client.follow(InspectionRequest(.watch), onIdle: { body(nil) }, body)
        }
    }
}

/// An entry of the page's list of subjects.
struct PageSubjectItem: Encodable {
    let id: String
    let name: String
    let detail: String
    let permits: [String]
}

/// A layer that the page can edit.
struct PageLayer: Encodable {
    let name: String
    let file: String
}
