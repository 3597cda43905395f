# sed -i renames a temporary file.
## before
printf 'old\n' > f
## change
sed -i s/old/new/ f
