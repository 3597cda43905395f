// swift-tools-version: 6.3

// This is a separate package, so that the other benchmarks do not need libcurl.

import PackageDescription

let package = Package(
    name: "EtcdBenchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "LayeredPrefs", path: "../..", traits: ["Etcd"])],
    targets: [
        .executableTarget(name: "EtcdCurl", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "EtcdPrefs",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsEtcd", package: "LayeredPrefs"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
