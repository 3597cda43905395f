// swift-tools-version: 6.1

import PackageDescription

// This is a separate package, because it needs libcurl.
let package = Package(
    name: "Fleet",
    dependencies: [.package(name: "LayeredPrefs", path: "../..", traits: ["Etcd"])],
    targets: [
        .executableTarget(
            name: "FleetDaemon",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsEtcd", package: "LayeredPrefs"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ]
)
