# The target of a link has a name that is not UTF-8.
## before
name=$(printf 'r\351\377')
printf old > "$name"
ln -s "$name" f
## change
printf new > "$(printf 'r\351\377')"
