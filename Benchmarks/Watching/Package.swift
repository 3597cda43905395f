// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "WatchingBenchmark",
    platforms: [.macOS(.v26)],
    traits: [.trait(name: "InotifyTools", description: "Measures the libinotifytools engine too.")],
    dependencies: [
        .package(
            name: "LayeredPrefs", path: "../..",
            traits: [.trait(name: "InotifyTools", condition: .when(traits: ["InotifyTools"]))])
    ],
    targets: [
        .target(name: "Floor"),
        .executableTarget(
            name: "WatchingBenchmark",
            dependencies: ["Floor", .product(name: "FileWatching", package: "LayeredPrefs")]),
    ]
)
