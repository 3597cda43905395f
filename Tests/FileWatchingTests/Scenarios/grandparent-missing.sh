# mkdir -p and the file, as fast as it goes.
# watch: a/b/c/f
## before
## change
mkdir -p a/b/c && printf new > a/b/c/f
