import Foundation

/// Operations of a host program that the tests reproduce.
enum Descriptors {
    /// Opens files until `count` are open.
    static func occupy(_ count: Int) throws {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(7), &limit)
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(count + 200)))
        unsafe setrlimit(__rlimit_resource_t(7), &limit)
        while true {
            let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
            if descriptor >= count { return }
        }
    }

    /// Returns a C function without arguments that Swift's modules do not export.
    static func function(_ name: String) -> (@convention(c) () -> Int32)? {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), name) else { return nil }
        return unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
    }

    /// Runs `body` in a forked child and returns its exit status.
    static func inChild(_ body: () -> Int32) -> Int32 {
        guard let fork = function("fork") else { return -1 }
        let child = fork()
        if child == 0 { _exit(body()) }
        var status: Int32 = 0
        unsafe waitpid(child, &status, 0)
        return status
    }
}
