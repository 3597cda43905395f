# The directory is created first, then the file.
# watch: d/f
## before
## change
mkdir d
printf new > d/f
