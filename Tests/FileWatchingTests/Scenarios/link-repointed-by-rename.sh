# The atomic way to re-point a link: a new link is renamed over it.
# watch: l
## before
printf old > f
printf new > g
ln -s f l
## change
ln -s g t
mv -T t l
