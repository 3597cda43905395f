# And its content becomes a listing.
## before
printf old > f
## change
rm f
mkdir f
touch f/entry
