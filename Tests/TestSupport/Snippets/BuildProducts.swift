package import Foundation

/// The modules that were built with the tests, for tests that run the compiler.
package enum BuildProducts {
    /// The folder of the test bundle, which also contains the modules.
    package static var folder: URL {
        Bundle.main.bundleURL.path.hasSuffix(".xctest")
            ? Bundle.main.bundleURL.deletingLastPathComponent() : Bundle(for: Marker.self).bundleURL
    }

    /// The compiler's arguments for finding the modules, and the C modules that they import.
    package static var moduleArguments: [String] {
        ["-I", "\(folder.path)/Modules"] + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    /// The compiler's arguments for expanding this package's macros.
    package static var macroArguments: [String] {
        ["-load-plugin-executable", "\(folder.path)/LayeredPrefsMacros-tool#LayeredPrefsMacros"]
    }

    /// The module maps of C targets, of system libraries, and of C targets of other packages that bring their own.
    private static var moduleMaps: [String] {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardizedFileURL
        // The scratch folder, which need not be `.build`, contains the platform's folder, which contains `debug`.
        let scratch = folder.resolvingSymlinksInPath().appendingPathComponent("../..").standardizedFileURL
        let checkouts = subfolders(of: scratch.appendingPathComponent("checkouts"))
        let own = [folder, root.appendingPathComponent("Sources")].flatMap(cTargets)
        let others = checkouts.flatMap { cTargets(in: $0.appendingPathComponent("Sources")) }
            .map { $0.appendingPathComponent("include") }
        return (own + others).map { $0.appendingPathComponent("module.modulemap").path }
            .filter(FileManager.default.fileExists(atPath:))
    }

    private static func cTargets(in folder: URL) -> [URL] {
        subfolders(of: folder).filter {
            $0.lastPathComponent.hasPrefix("C") && !$0.lastPathComponent.hasSuffix("-tool.build")
        }
    }

    private static func subfolders(of folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map(folder.appendingPathComponent)
    }

    private final class Marker {}
}
