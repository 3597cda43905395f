# The file is deleted and immediately recreated.
## before
printf old > f
## change
rm f
printf new > f
