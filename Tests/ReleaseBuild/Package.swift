// swift-tools-version: 6.3

import PackageDescription

// Tests that require a release build of the library, which disables debug keys and the debug layer. This is a
// separate package that takes the macros' plug-in from the debug build, so that it builds quickly.
// Scripts/test --release runs it. Its traits are the ones that Scripts/check guard builds the library with,
// so that one release build serves both.

let package = Package(
    name: "ReleaseBuild",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "LayeredPrefs", path: "../..", traits: [])],
    targets: [
        // The example program that the tests run.
        .executableTarget(
            name: "DebugOverrides", dependencies: [.product(name: "LayeredPrefs", package: "LayeredPrefs")]),
        .testTarget(
            name: "ReleaseBuildTests",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsUserDefaults", package: "LayeredPrefs"),
                .product(name: "PersistentKeyValueKitCompatibility", package: "LayeredPrefs"),
            ],
            // A program that defines DEBUG for itself does not change the build of the library.
            swiftSettings: [.define("DEBUG")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
