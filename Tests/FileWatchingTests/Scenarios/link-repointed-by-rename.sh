# The atomic way to re-point a link.
# watch: l
## before
printf old > f
printf new > g
ln -s f l
## change
ln -s g t
mv -T t l
