# A tree is moved into place, so the file exists as soon as its directory does.
# watch: a/b/f
## before
mkdir -p t/b
printf new > t/b/f
## change
mv t a
