# And its listing becomes content.
## before
mkdir f
## change
rmdir f
printf new > f
