# truncate(2) by path: there is no close to wait for.
# needs: perl
## before
printf 'old content' > f
## change
perl -e 'truncate("f", 3) or die'
