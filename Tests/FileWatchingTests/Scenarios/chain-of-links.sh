# A link to a link in a linked directory; the last link is re-pointed.
# watch: one
## before
mkdir a b
printf old > a/f
printf new > b/f
ln -s a current
ln -s current/f two
ln -s two one
## change
ln -s b t
mv -T t current
