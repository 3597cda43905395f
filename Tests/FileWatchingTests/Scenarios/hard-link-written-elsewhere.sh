# The same inode is written under another name, in a directory without a watch.
## before
mkdir d
printf old > d/g
ln d/g f
## change
printf 'new content' > d/g
