mkdir -p relay/Sources/relay relay/Tests/relayTests
cd relay
