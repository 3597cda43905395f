# A directory above the file is moved away permanently.
# watch: a/d/f
## before
mkdir -p a/d
printf old > a/d/f
## change
mv a b
