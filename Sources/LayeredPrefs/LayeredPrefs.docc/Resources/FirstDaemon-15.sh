cd ..
git clone https://github.com/layeredprefs/LayeredPrefs
make -C LayeredPrefs install
