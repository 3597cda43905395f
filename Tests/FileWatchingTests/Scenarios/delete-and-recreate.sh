# Gone for a moment only.
## before
printf old > f
## change
rm f
printf new > f
