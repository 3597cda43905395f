# Another inode linked where the old one was.
## before
printf old > f
printf new > g
## change
rm f
ln g f
