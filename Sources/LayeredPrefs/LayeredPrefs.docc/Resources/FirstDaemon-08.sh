.build/debug/relay &
