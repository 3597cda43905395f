# Kubernetes: f → ..data/f, ..data → ..2026, ..data is renamed over, the old directory is removed.
## before
mkdir ..1
printf old > ..1/f
ln -s ..1 ..data
ln -s ..data/f f
## change
mkdir ..2
printf new > ..2/f
ln -s ..2 ..tmp
mv -T ..tmp ..data
rm -r ..1
