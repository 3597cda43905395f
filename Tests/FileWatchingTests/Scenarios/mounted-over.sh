# A mount causes no inotify event.
# needs: mount
# seen by: poll
## before
printf old > f
printf new > g
## change
mount --bind g f
## after
umount f
