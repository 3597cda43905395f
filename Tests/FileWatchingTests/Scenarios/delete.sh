# The file is deleted permanently.
## before
printf old > f
## change
rm f
