sed -i s/loud/debug/ ~/.config/com.example.myd.plist
