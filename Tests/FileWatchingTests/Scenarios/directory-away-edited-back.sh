# A file is edited while its directory temporarily has another name.
# watch: d/f
## before
mkdir d
printf old > d/f
## change
mv d e
printf 'new content' > e/f
mv e d
