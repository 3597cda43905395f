# Only the times change.
## before
printf old > f
touch -d '2001-01-01' f
## change
touch f
