sed -i s/interval/intervall/ ~/.config/com.example.myd.plist
prefs validate -d com.example.myd
