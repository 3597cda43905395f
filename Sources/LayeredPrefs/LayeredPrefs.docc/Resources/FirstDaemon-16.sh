echo log.level | sudo tee /etc/xdg/com.example.myd.locks
