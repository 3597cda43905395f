sudo sed -i 's/80810/8081/' /etc/relay/relay.toml
