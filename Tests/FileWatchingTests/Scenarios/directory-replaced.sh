# A whole drop-in directory is replaced by re-pointing a link.
# watch: f.d
## before
mkdir one two
touch two/10.plist
ln -s one f.d
## change
ln -s two t
mv -T t f.d
