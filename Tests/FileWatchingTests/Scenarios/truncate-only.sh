# truncate(2) by path: no descriptor is closed afterwards.
# needs: perl
## before
printf 'old content' > f
## change
perl -e 'truncate("f", 3) or die'
