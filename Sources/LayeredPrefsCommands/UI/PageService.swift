import FoundationEssentials
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// Answers the page's requests.
final class PageService: Sendable {
    let access = PageAccess()
    private let stack: Stack
    private let answers: InspectionAnswers
    private let editing: PageEditing
    private let reversals = PageReversals()

    /// - Parameters:
    ///   - stack: The file layers, which are watched. The page can select the processes of the stack's domain, or
    ///     all processes if it has no domain.
    ///   - words: The options that select the same layers on a command line.
    init(stack: Stack, words: [String]) {
        self.stack = stack
        editing = PageEditing(stack: stack, words: words, reversals: reversals)
        answers = InspectionAnswers(
            storage: stack.storage, domain: stack.domain ?? "",
            keys: stack.declared?.all ?? [], secrets: stack.declared.secrets)
    }

    func answer(_ request: HTTPRequest, _ connection: HTTPConnection) {
        do throws(HTTPRequest.Failure) {
            try PageAccess.checkOrigin(of: request)
            if request.path == "/api/events" {
                try access.checkSession(of: request)
                guard request.method == "GET" else { throw .init(405, "use GET") }
                return stream(try subject(of: request), connection)
            }
            _ = connection.send(try response(to: request).bytes)
        } catch {
            _ = connection.send(HTTPResponse(error).bytes)
        }
    }

    private func response(to request: HTTPRequest) throws(HTTPRequest.Failure) -> HTTPResponse {
        if let file = PageFile.all[request.path] {
            guard request.method == "GET" else { throw .init(405, "use GET") }
            return HTTPResponse(type: file.type, body: file.content)
        }
        if request.path == "/api/session" {
            let body: [String: String] = try Self.body(of: request)
            return HTTPResponse(json: ["session": try access.session(for: body["token"] ?? "")])
        }
        guard request.path.hasPrefix("/api/") else { throw .init(404, "no such page") }
        try access.checkSession(of: request)
        do {
            return try answer(request)
        } catch let failure as HTTPRequest.Failure {
            throw failure
        } catch {
            return HTTPResponse(json: ["error": "\(error)"])
        }
    }

    private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        let key = request.query["key"]
        switch (request.method, request.path) {
        case ("GET", "/api/subjects"):
            return HTTPResponse(json: Subjects(subjects: subjects, layers: editing.layers))
        case ("GET", "/api/status"): return try reply(to: InspectionRequest(.status), request)
        case ("GET", "/api/list"): return try list(key, request)
        case ("GET", "/api/rejected"):
            let secrets = stack.declared.secrets
            return HTTPResponse(json: try PageRejections(try subject(of: request), secrets: secrets))
        case ("GET", "/api/explain"): return try reply(to: InspectionRequest(.explain, key: key), request)
        case ("GET", "/api/history"): return try reply(to: InspectionRequest(.history, key: key), request)
        case ("POST", "/api/check"): return HTTPResponse(json: try check(try Self.body(of: request)))
        case ("POST", "/api/edit"): return HTTPResponse(json: try edit(try Self.body(of: request)))
        case ("POST", "/api/revert"): return HTTPResponse(json: try revert(try Self.body(of: request)))
        case (_, "/api/check"), (_, "/api/edit"), (_, "/api/revert"):
            throw HTTPRequest.Failure(405, "use POST")
        case ("GET", _): throw HTTPRequest.Failure(404, "no such page")
        default: throw HTTPRequest.Failure(405, "use GET")
        }
    }

    private struct Subjects: Encodable {
        let subjects: [PageSubjectItem]
        let layers: [PageLayer]
    }

    private func reply(to question: InspectionRequest, _ request: HTTPRequest) throws -> HTTPResponse {
        HTTPResponse(json: try subject(of: request).reply(to: question))
    }

    private func list(_ key: String?, _ request: HTTPRequest) throws -> HTTPResponse {
        var reply = try subject(of: request).reply(to: InspectionRequest(.list, key: key))
        reply.keys = reply.keys?.map { key in
            var key = key
            key.comparable = key.comparable(as: stack.declared?[key.key]?.storedType)
            return key
        }
        return HTTPResponse(json: reply)
    }

    private func revert(_ body: [String: Int]) throws -> [String: String] {
        try reversals.revert(body["number"] ?? 0)
        return [:]
    }

    private static func body<Body: Decodable>(of request: HTTPRequest) throws(HTTPRequest.Failure) -> Body {
        guard request.method == "POST" else { throw .init(405, "use POST") }
        // No HTML form can send this type. A browser therefore asks this server (a CORS preflight) before it lets
        // a page of another origin send it.
        guard request.headers["content-type"]?.hasPrefix("application/json") == true,
            let body = try? JSONDecoder().decode(Body.self, from: Data(request.body))
        else { throw .init(400, "malformed body") }
        return body
    }
}

extension PageService {
    private var subjects: [PageSubjectItem] {
        [PageSubjectItem(id: "files", name: "Files", detail: stack.domain ?? "", permits: [])]
            + LiveProcess.statuses(of: stack.domain).compactMap { socket, answer in
                guard let status = try? answer.get() else { return nil }
                let program = status.program.split(separator: "/").last.map(String.init) ?? status.domain
                return PageSubjectItem(
                    id: "pid:\(socket.pid):\(socket.domain)", name: "\(program) (\(socket.pid))",
                    detail: socket.domain, permits: status.permits ?? [])
            }
    }

    private func subject(of request: HTTPRequest) throws(HTTPRequest.Failure) -> PageSubject {
        try subject(named: request.query["subject"] ?? "files")
    }

    private func subject(named id: String) throws(HTTPRequest.Failure) -> PageSubject {
        if id == "files" { return .files(answers) }
        let parts = id.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "pid", let pid = CInt(parts[1]),
            let socket = LiveProcess.sockets(domain: String(parts[2])).first(where: { $0.pid == pid }),
            stack.domain == nil || stack.domain == socket.domain
        else { throw .init(404, "the process has ended, or serves no inspection") }
        return .process(LiveProcess(socket))
    }

    private func stream(_ subject: PageSubject, _ connection: HTTPConnection) {
        guard connection.send(HTTPResponse.head(200, "text/event-stream; charset=utf-8")) else { return }
        let encoder = JSONEncoder()
        let send = { (text: String) in connection.send(Array("\(text)\n\n".utf8)) }
        do {
            try subject.follow { reply in
                guard let reply else { return send(":") }
                guard let data = try? encoder.encode(reply) else { return false }
                return send("data: \(String(decoding: data, as: UTF8.self))")
            }
        } catch {}
        _ = send("event: end\ndata: {}")
    }

    private func check(_ edit: PageEdit) throws -> PageEditing.Verdict {
        if let process = try process(of: edit) {
            let request = InspectionRequest(
                edit.text == nil ? .status : .check, key: edit.key, value: edit.text)
            let command = PageEditing.command(edit, ["--pid", "\(process.client.socket.pid)"], to: nil)
            do {
                _ = try process.client.ask(request)
                return PageEditing.Verdict(command: command)
            } catch let error as PrefsError {
                return PageEditing.Verdict(command: command, error: error.reason)
            }
        }
        var verdict = editing.check(edit) {
            guard case .process(let process)? = try? subject(named: edit.subject) else { return [] }
            return (try? process.list(nil)) ?? []
        }
        if verdict.error == nil, edit.text != nil {
            verdict.remark = try remark(on: edit, verdict.file, try subject(named: edit.subject))
        }
        return verdict
    }

    /// Returns the reason why a saved value would not be used; `nil` if there is none.
    private func remark(
        on edit: PageEdit, _ file: String?, _ subject: PageSubject
    ) throws -> String? {
        let status = try subject.reply(to: InspectionRequest(.status)).status
        if case .process(let process) = subject, let file, let status {
            let name = "process \(process.client.socket.pid)"
            if !status.reads(file) { return "\(name) does not read \(file)" }
            if let problem = status.sources.first(where: { $0.file == file })?.problem {
                return "\(name) keeps the previous version: \(problem)"
            }
        }
        let order: [String] =
            if case .files = subject { editing.order } else { status?.layers ?? [] }
        let explanation = try subject.reply(to: InspectionRequest(.explain, key: edit.key)).explanation
        guard let row = explanation?.rows.first(where: { $0.role == "effective" }),
            let height = order.firstIndex(of: InspectionReply.layer(row.layer)),
            let target = order.firstIndex(of: edit.layer), height > target
        else { return nil }
        let isVariable = row.layer == PrefsLayer.Name.environment.description
        return isVariable
            ? "the variable \(row.place) shadows what is saved here"
            : "the value in \(row.layer)\(row.place.isEmpty ? "" : ", \(row.place),") shadows what is saved here"
    }

    private func edit(_ edit: PageEdit) throws -> PageEditing.Verdict {
        if let process = try process(of: edit) {
            let request = InspectionRequest(edit.text == nil ? .unset : .set, key: edit.key, value: edit.text)
            let before = try process.answer(InspectionRequest(.explain, key: edit.key), \.explanation)
                .rows.first { $0.layer == edit.layer }
            let outcome = try process.change(request)
            var verdict = PageEditing.Verdict(command: "", remark: outcome.remark)
            // The process does not send the value of a secret.
            if before == nil || before?.text != nil {
                verdict.revert = reversals.add {
                    let value = before?.text
                    _ = try process.change(
                        InspectionRequest(value == nil ? .unset : .set, key: edit.key, value: value))
                }
            }
            return verdict
        }
        return try editing.apply(edit)
    }

    /// Returns the process if an edit changes a process's memory; `nil` for an edit of a file.
    private func process(of edit: PageEdit) throws -> LiveProcess? {
        guard edit.layer == PrefsLayer.Name.overrides.description,
            case .process(let process) = try subject(named: edit.subject)
        else { return nil }
        return process
    }
}
