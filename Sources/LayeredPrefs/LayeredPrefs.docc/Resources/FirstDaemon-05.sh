swift build
.build/debug/myd
