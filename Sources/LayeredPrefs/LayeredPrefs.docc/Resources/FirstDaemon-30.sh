sudo mkdir -p /etc/relay/relay.toml.d
echo 'listen.port = "8082"' | sudo tee /etc/relay/relay.toml.d/50-site.toml >/dev/null
sleep 1
echo 'listen.port = 8082' | sudo tee /etc/relay/relay.toml.d/50-site.toml >/dev/null
sleep 1
journalctl -t relay -o cat -n 4
cat </dev/tcp/127.0.0.1/8082
