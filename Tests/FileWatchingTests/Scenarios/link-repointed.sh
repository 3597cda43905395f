# ln -sfn removes and creates, or renames.
# watch: l
## before
printf old > f
printf new > g
ln -s f l
## change
ln -sfn g l
