mkdir -p ~/.config
cat > ~/.config/com.example.myd.plist <<END
<plist version="1.0">
<dict>
    <key>interval</key>
    <string>1s</string>
    <key>log</key>
    <dict>
        <key>level</key>
        <string>debug</string>
    </dict>
</dict>
</plist>
END
