swift build -c release --static-swift-stdlib -Xlinker -s --product relay
install -D .build/release/relay package/usr/bin/relay
mkdir -p package/usr/lib/relay package/DEBIAN
echo 'greeting = "hello from the package"' > package/usr/lib/relay/relay.toml
cat > package/DEBIAN/control <<END
Package: relay
Version: 1.0
Architecture: $(dpkg --print-architecture)
Maintainer: You <you@example.com>
Description: A daemon that sends greetings
END
dpkg-deb --root-owner-group --build package relay.deb
