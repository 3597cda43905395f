/// A file of the page. Its source is in `Page`. SwiftPM embeds it, so that the tool is a single file.
struct PageFile {
    let type: String
    let content: [UInt8]

    /// The files by path. Only these paths are served.
    static let all: [String: PageFile] = [
        "/": PageFile(type: "text/html; charset=utf-8", content: PackageResources.index_html),
        "/page.css": PageFile(type: "text/css; charset=utf-8", content: PackageResources.page_css),
        "/page.js": PageFile(type: script, content: PackageResources.page_js),
        "/server.js": PageFile(type: script, content: PackageResources.server_js),
        "/table.js": PageFile(type: script, content: PackageResources.table_js),
        "/panel.js": PageFile(type: script, content: PackageResources.panel_js),
        "/rejections.js": PageFile(type: script, content: PackageResources.rejections_js),
        "/icon.svg": PageFile(type: "image/svg+xml", content: PackageResources.icon_svg),
    ]

    private static let script = "text/javascript; charset=utf-8"
}
