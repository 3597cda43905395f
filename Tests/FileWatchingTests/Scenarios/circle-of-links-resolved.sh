# A cycle of links leads nowhere until it is broken.
# watch: a
## before
ln -s b a
ln -s a b
## change
rm b
printf new > b
