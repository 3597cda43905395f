// swift-tools-version: 6.3

import PackageDescription

// What only a release build of the library shows: debug keys and the debug layer are gone. A package of its
// own, without the macros, so that proving it builds little; Scripts/test-release runs it.

let package = Package(
    name: "ReleaseBuild",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "LayeredPrefs", path: "../..", traits: ["UserDefaults"])],
    targets: [
        .testTarget(
            name: "ReleaseBuildTests",
            dependencies: [.product(name: "LayeredPrefs", package: "LayeredPrefs")],
            // A program that says DEBUG of itself does not change what the library is.
            swiftSettings: [.define("DEBUG")]
        )
    ],
    swiftLanguageModes: [.v6]
)
