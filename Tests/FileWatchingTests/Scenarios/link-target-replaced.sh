# The target of a link is replaced in its own directory.
# watch: l
## before
mkdir d
printf old > d/f
ln -s d/f l
## change
printf new > d/t
mv d/t d/f
