# The file is unlinked and another inode is linked in its place.
## before
printf old > f
printf new > g
## change
rm f
ln g f
