# A file is replaced within an overlay.
# needs: mount tmpfs
# watch: merged/f
## before
mount -t tmpfs none .
cd "$PWD"
mkdir lower upper work merged
printf old > lower/f
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged
## change
cd "$PWD"
printf new > merged/t
mv merged/t merged/f
## after
cd "$PWD"
umount merged
cd /
umount "$OLDPWD"
