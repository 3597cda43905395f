# Gone for good.
## before
printf old > f
## change
rm f
