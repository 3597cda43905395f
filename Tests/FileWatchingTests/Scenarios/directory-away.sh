# Moved away for good.
# watch: a/d/f
## before
mkdir -p a/d
printf old > a/d/f
## change
mv a b
