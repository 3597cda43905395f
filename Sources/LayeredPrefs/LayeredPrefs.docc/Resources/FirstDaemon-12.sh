cat </dev/tcp/127.0.0.1/8081
