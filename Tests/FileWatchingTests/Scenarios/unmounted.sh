# A file system goes, and what it covered shows.
# needs: mount
# watch: d/f
## before
mkdir d
printf new > d/f
mount -t tmpfs none d
printf old > d/f
## change
umount d
