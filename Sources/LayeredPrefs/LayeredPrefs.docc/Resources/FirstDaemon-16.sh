.build/debug/relay --check-config
