"""Contains the HTML that surrounds the text of every email.

It uses tables and inline styles, because all mail programs support them. Some programs ignore the rounded corners and
the dark mode; an email is readable without them.
"""

from cairn.kit import HTML_START

PAGE = (
    HTML_START
    + """\
<meta name="supported-color-schemes" content="light dark">
<title>{subject}</title>
<style>
@media (prefers-color-scheme: dark) {{
  .ground {{ background: #1c1a17 !important }}
  .sheet {{ background: #262320 !important; border-color: #3b3731 !important }}
  .text {{ color: #f1eee8 !important }}
  .soft {{ color: #b9b3a7 !important }}
  .name {{ color: #8fd3ab !important }}
  .stone {{ background: #8fd3ab !important }}
  .line {{ border-color: #3b3731 !important }}
}}
@media (max-width: 480px) {{
  .inset {{ padding-left: 22px !important; padding-right: 22px !important }}
}}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f5f3ef">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">{preview}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f3ef">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" \
style="max-width:560px;background:#ffffff;border:1px solid #e3dfd7;border-radius:14px">
<tr><td class="inset line" style="padding:24px 32px 20px;border-bottom:1px solid #ece8e0">
<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="padding-right:14px;vertical-align:middle" aria-hidden="true">
<div class="stone" style="width:10px;height:6px;margin:0 auto 2px;border-radius:5px;background:#1f5138"></div>
<div class="stone" style="width:18px;height:8px;margin:0 auto 2px;border-radius:6px;background:#1f5138"></div>
<div class="stone" style="width:28px;height:10px;margin:0 auto;border-radius:7px;background:#1f5138"></div>
</td>
<td class="name" style="vertical-align:middle;color:#1f5138;\
font:600 18px/1.3 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">{sender}</td>
</tr></table>
</td></tr>
<tr><td class="inset text" style="padding:12px 32px 20px;color:#23211d;\
font:16px/1.6 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">{paragraphs}</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="soft" align="center" style="padding:18px 24px 0;color:#6b665c;\
font:13px/1.6 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">{sent_with}{unsubscribe}</td></tr>
</table>
</td></tr></table>
</body>
</html>
"""
)

PARAGRAPH = '<p style="margin:16px 0">{text}</p>'

LINK = '<a class="name" href="{link}" style="color:#1f5138;word-break:break-all">{link}</a>'

CODE = (
    '<p class="text" style="margin:16px 0;font:600 26px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px">'
    "{code}</p>"
)

BUTTON = (
    '<table role="presentation" cellpadding="0" cellspacing="0" style="margin:26px 0 10px"><tr>'
    '<td bgcolor="#1f5138" style="border-radius:10px;background:#1f5138">'
    '<a href="{link}" style="display:inline-block;padding:13px 26px;color:#ffffff;text-decoration:none;'
    "font:600 16px/1.4 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif\">{text}</a></td></tr></table>"
    '<p class="soft" style="margin:0 0 22px;font-size:13px;line-height:1.5;color:#6b665c;word-break:break-all">'
    "{link}</p>"
)

UNSUBSCRIBE = ' &middot; <a class="soft" href="{link}" style="color:#6b665c">{text}</a>'
