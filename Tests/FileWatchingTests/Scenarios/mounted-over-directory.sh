# A file system is mounted over a directory of the path.
# needs: mount
# watch: d/e/f
## before
mkdir -p d/e
printf old > d/e/f
## change
mkdir other
mount -t tmpfs none other
mkdir other/e
printf new > other/e/f
mount --bind other d
## after
umount d
umount other
