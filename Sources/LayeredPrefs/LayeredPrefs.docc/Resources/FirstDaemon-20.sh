sudo sed -i '/listen/a host = "192.0.2.1"' /etc/relay/relay.toml
