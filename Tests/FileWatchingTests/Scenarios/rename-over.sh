# The recommended way to write: a temporary file is renamed into place.
## before
printf old > f
## change
printf new > f.tmp
mv f.tmp f
