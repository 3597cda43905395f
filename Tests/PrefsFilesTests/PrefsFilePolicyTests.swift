import PrefsSystem
import Testing

@testable import PrefsFiles

struct PrefsFilePolicyTests {
    @Test(
        arguments: [
            (0o600, 0, nil), (0o644, 7, nil), (0o664, 0, "writable by its group"),
            (0o646, 0, "writable by every user"), (0o666, 9, "writable by every user"),
            (0o600, 9, "owned by user 9"),
        ] as [(mode_t, uid_t, String?)])
    func `trusts only files that no other user may write`(mode: mode_t, owner: uid_t, words: String?) {
        let objection = PrefsFilePolicy.trusted.objection(mode: mode, owner: owner, user: 7)
        #expect((objection == nil) == (words == nil))
        #expect(objection?.contains(words ?? "") ?? true, "\(objection ?? "")")
        #expect(PrefsFilePolicy.any.objection(mode: mode, owner: owner, user: 7) == nil)
    }
}
