# The link is there first.
# watch: l
## before
mkdir d
ln -s d/f l
## change
printf new > d/f
