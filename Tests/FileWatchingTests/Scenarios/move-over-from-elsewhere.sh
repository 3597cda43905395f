# A file is moved over it from another directory of the same file system.
## before
mkdir other
printf old > f
## change
printf new > other/f
mv other/f f
