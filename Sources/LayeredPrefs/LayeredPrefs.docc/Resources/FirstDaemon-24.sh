kill %1
sudo rm /etc/relay/relay.toml
