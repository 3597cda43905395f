# A file system is unmounted, which uncovers the file below.
# needs: mount
# watch: d/f
## before
mkdir d
printf new > d/f
mount -t tmpfs none d
printf old > d/f
## change
umount d
