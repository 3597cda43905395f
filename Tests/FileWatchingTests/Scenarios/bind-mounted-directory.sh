# A file in a bind-mounted directory is replaced in the source directory.
# needs: mount
# watch: d/f
## before
mkdir source d
printf old > source/f
mount --bind source d
## change
printf new > source/t
mv source/t source/f
## after
umount d
