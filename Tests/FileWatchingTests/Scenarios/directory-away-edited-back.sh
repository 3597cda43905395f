# Edited while its directory had another name.
# watch: d/f
## before
mkdir d
printf old > d/f
## change
mv d e
printf 'new content' > e/f
mv e d
