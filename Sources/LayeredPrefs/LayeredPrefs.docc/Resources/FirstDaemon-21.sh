sudo tee /etc/xdg/com.example.myd.plist <<END
<plist version="1.0">
<dict>
    <key>log</key>
    <dict>
        <key>level</key>
        <string>debug</string>
    </dict>
</dict>
</plist>
END
