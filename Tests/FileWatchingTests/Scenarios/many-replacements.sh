# Thirty files are renamed over it, one after the other.
## before
printf old > f
## change
for i in 1 2 3 4 5 6 7 8 9 10; do
    for j in 1 2 3; do printf "%s" "$i.$j" > t; mv t f; done
done
