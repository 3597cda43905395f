# A bind-mounted file is written at its source.
# needs: mount
## before
printf old > source
touch f
mount --bind source f
## change
printf 'new content' > source
## after
umount f
