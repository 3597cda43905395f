sudo sed -i 's/8081/80810/; s/morning/evening/' /etc/relay/relay.toml
