# A file system is unmounted and another one is mounted in its place.
# needs: mount
# watch: d/f
## before
mkdir d other
printf new > other/f
mount -t tmpfs none d
printf old > d/f
## change
umount d
mount --bind other d
## after
umount d
