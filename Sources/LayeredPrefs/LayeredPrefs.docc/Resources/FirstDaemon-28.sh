sleep 1
journalctl -t relay -o cat
