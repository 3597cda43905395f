# A tree is removed by rm -r and created again.
# watch: a/b/f
## before
mkdir -p a/b
printf old > a/b/f
## change
rm -r a
mkdir -p a/b
printf new > a/b/f
