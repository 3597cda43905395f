# The new target is written right after the link was pointed at it.
# watch: l
## before
printf old > f
printf 1 > g
ln -s f l
## change
ln -sfn g l
printf 'new content' > g
