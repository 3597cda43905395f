# Replaced at its source.
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
