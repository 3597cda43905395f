# The same inode under another name in a directory nobody watches.
## before
mkdir d
printf old > d/g
ln d/g f
## change
printf 'new content' > d/g
