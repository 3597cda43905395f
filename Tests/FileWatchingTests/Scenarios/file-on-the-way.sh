# A path component that should be a directory is a file at first.
# watch: d/f
## before
printf old > d
## change
rm d
mkdir d
printf new > d/f
