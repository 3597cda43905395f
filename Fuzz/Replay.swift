#if !FUZZING
    import FoundationEssentials

    /// Checks files, such as the corpus or a finding, without the fuzzer, which has a `main` function of its own:
    /// `LAYEREDPREFS_FUZZ=json swift run PrefsFuzzing Fuzz/corpus/json/*`.
    @main enum Replay {
        static func main() throws {
            for path in CommandLine.arguments.dropFirst() {
                let bytes = try Data(contentsOf: URL(filePath: path))
                _ = unsafe bytes.withUnsafeBytes {
                    unsafe fuzzOneInput($0.bindMemory(to: UInt8.self).baseAddress, $0.count)
                }
            }
        }
    }
#endif
