# The same one level higher: a file is edited while a directory above its own has another name.
# watch: a/d/f
## before
mkdir -p a/d
printf old > a/d/f
## change
mv a b
printf new > b/d/t
mv b/d/t b/d/f
mv b a
