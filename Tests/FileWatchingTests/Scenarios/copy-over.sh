# cp opens and truncates.
## before
printf old > f
printf 'new content' > g
## change
cp g f
