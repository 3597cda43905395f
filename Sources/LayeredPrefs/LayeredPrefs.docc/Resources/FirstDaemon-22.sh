sudo sed -i 's/^host = .*/prot = 8082/' /etc/relay/relay.toml
