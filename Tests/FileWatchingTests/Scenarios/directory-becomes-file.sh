# A directory is replaced by a file: the listing becomes content.
## before
mkdir f
## change
rmdir f
printf new > f
