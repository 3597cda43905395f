# The watched path is a link; its target is written.
# watch: l
## before
printf old > f
ln -s f l
## change
printf 'new content' > f
