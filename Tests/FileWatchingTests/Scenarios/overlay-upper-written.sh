# The upper directory is edited directly, bypassing the overlay.
# needs: mount tmpfs
# watch: merged/f
# seen by: poll
## before
mount -t tmpfs none .
cd "$PWD"
mkdir lower upper work merged
printf old > upper/f
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged
## change
cd "$PWD"
printf 'new content' > upper/f
## after
cd "$PWD"
umount merged
cd /
umount "$OLDPWD"
