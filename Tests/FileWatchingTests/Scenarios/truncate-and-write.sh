# The shell's redirection: truncate, write, close.
## before
printf old > f
## change
printf 'new content' > f
