// swift-tools-version: 6.3

import PackageDescription

// The module that users of PersistentKeyValueKit import, so that their source compiles unchanged on Linux. This
// is a separate package because a package graph that also contains the original does not resolve.

let layeredPrefs = Target.Dependency.product(name: "LayeredPrefs", package: "LayeredPrefs")

let package = Package(
    name: "LayeredPrefsCompatibility",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "PersistentKeyValueKit", targets: ["PersistentKeyValueKit"])
    ],
    traits: [
        .trait(name: "Macros", description: "@PrefsSchema and @Pref for PrefsKit."),
        .trait(name: "Compression", description: "zlib, lzma and lz4 for .compressedData(algorithm:)."),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(
            name: "LayeredPrefs",
            path: "..",
            traits: [
                .trait(name: "UserDefaults"),
                .trait(name: "Macros", condition: .when(traits: ["Macros"])),
                .trait(name: "Compression", condition: .when(traits: ["Compression"])),
            ]
        )
    ],
    targets: [
        .target(name: "PersistentKeyValueKit", dependencies: [layeredPrefs])
    ],
    swiftLanguageModes: [.v6]
)
