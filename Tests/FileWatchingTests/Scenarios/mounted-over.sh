# A mount tells no inotify.
# needs: mount
# seen by: poll
## before
printf old > f
printf new > g
## change
mount --bind g f
## after
umount f
