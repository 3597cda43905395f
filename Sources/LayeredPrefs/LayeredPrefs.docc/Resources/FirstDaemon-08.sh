sed -i s/debug/loud/ ~/.config/com.example.myd.plist
