swift build -c release --static-swift-stdlib
sudo install .build/release/myd /usr/local/bin/myd
