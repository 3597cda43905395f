import Foundation
import Testing

/// Runs the tests. Without this file, SwiftPM would look for those of XCTest, of which there are none, in the compiler's
/// index, and that takes a fifth of the time of a debug build.
@main struct Main {
    static func main() async {
        // SwiftPM asks for the tests of XCTest in order to filter them, and cannot know that these are none of them.
        if CommandLine.arguments.contains("--dump-tests-json") {
            print("to run a part of the tests: ./Scripts/test --filter NAME,")
            print("or swift test --enable-swift-testing --disable-xctest --filter NAME")
            exit(EXIT_FAILURE)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
