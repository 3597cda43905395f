# cp opens and truncates the file.
## before
printf old > f
printf 'new content' > g
## change
cp g f
