import PrefsSystem
import TestSupport
import Testing

struct DescriptorTests {
    @Test func `opens with close-on-exec and closes once`() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "file")
        let number: CInt
        do {
            let file = try Descriptor(opening: folder["file"], O_RDONLY)
            number = file.number
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
            #expect(try file.status().isRegularFile)
        }
        #expect(throws: Errno(ENOENT)) { _ = try Descriptor(opening: folder["none"], O_RDONLY).number }
    }

    @Test func `a call is repeated while signals interrupt it`() {
        var calls = 0
        let result = retryingInterrupts { () -> CInt in
            calls += 1
            errno = calls < 3 ? EINTR : EBADF
            return -1
        }
        #expect(result == .failure(Errno(EBADF)))
        #expect(calls == 3)
    }

    @Test func `an errno has the system's sentence`() {
        #expect(Errno(ENOENT).text == "No such file or directory")
    }
}
