mkdir -p myd/Sources/myd
cd myd
