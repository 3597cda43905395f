# current → releases/N: a deployment switches the link.
# watch: current/etc/f
## before
mkdir -p releases/1/etc releases/2/etc
printf old > releases/1/etc/f
printf new > releases/2/etc/f
ln -s releases/1 current
## change
ln -s releases/2 t
mv -T t current
