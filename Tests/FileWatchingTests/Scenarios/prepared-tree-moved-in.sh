# The file is there as soon as the directory is.
# watch: a/b/f
## before
mkdir -p t/b
printf new > t/b/f
## change
mv t a
