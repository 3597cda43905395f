# The right way to write: a temporary file renamed into place.
## before
printf old > f
## change
printf new > f.tmp
mv f.tmp f
