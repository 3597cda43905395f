# A file is replaced by a directory: the content becomes a listing.
## before
printf old > f
## change
rm f
mkdir f
touch f/entry
