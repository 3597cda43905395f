# Another directory takes the place of the file's directory.
# watch: d/f
## before
mkdir d e
printf old > d/f
printf new > e/f
## change
mv d x
mv e d
