# mkdir -p and the file, in immediate succession.
# watch: a/b/c/f
## before
## change
mkdir -p a/b/c && printf new > a/b/c/f
