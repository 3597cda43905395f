# A path with . and .. and repeated slashes, through a link.
# watch: l/..//./e/f
## before
mkdir -p a/d a/e
printf old > a/e/f
ln -s a/d l
## change
printf new > a/e/t
mv a/e/t a/e/f
