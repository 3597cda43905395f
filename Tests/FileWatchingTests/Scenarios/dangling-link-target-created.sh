# A link exists before its target is created.
# watch: l
## before
mkdir d
ln -s d/f l
## change
printf new > d/f
