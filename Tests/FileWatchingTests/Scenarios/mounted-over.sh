# A mount causes no inotify event; the kernel reports that the mount table changed.
# needs: mount
## before
printf old > f
printf new > g
## change
mount --bind g f
## after
umount f
