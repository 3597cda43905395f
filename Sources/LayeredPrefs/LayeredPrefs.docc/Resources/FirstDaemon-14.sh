sudo systemctl daemon-reload
sudo systemctl enable --now myd
journalctl -fu myd
