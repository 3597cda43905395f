# A hundred lines are appended, with one open and close for each.
## before
printf old > f
## change
for i in 0 1 2 3 4 5 6 7 8 9; do
    for j in 0 1 2 3 4 5 6 7 8 9; do echo "$i$j" >> f; done
done
