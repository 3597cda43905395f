# The new target is watched from the moment the link points there.
# watch: l
## before
printf old > f
printf 1 > g
ln -s f l
## change
ln -sfn g l
printf 'new content' > g
