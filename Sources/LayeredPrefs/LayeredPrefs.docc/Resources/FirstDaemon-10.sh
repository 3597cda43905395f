sudo mkdir -p /etc/relay
sudo tee /etc/relay/relay.toml >/dev/null <<END
greeting = "good morning"

[listen]
port = 8081

[log]
level = "debug"
END
