# What could be read cannot, or the other way round.
## before
printf old > f
## change
chmod 000 f
chmod 644 f
