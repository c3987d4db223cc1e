"""The HTML of a page with one sentence and one button, without scripts."""

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · Cairn</title>
<style>
  :root {{ color-scheme: light dark }}
  body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; font: 17px/1.6 system-ui, sans-serif;
         background: light-dark(#f5f3ef, #1c1a17); color: light-dark(#23211d, #f1eee8) }}
  main {{ box-sizing: border-box; width: min(28rem, calc(100vw - 2rem)); padding: 2rem; border-radius: 14px;
         background: light-dark(#fff, #262320); border: 1px solid light-dark(#e3dfd7, #3b3731) }}
  svg {{ display: block; color: light-dark(#1f5138, #8fd3ab) }}
  h1 {{ margin: 1rem 0 .5rem; font-size: 1.4rem; line-height: 1.3; overflow-wrap: anywhere }}
  p {{ margin: 0; overflow-wrap: anywhere }}
  button {{ width: 100%; min-height: 3rem; margin-top: 1.5rem; border: 0; border-radius: 10px; cursor: pointer;
           background: light-dark(#1f5138, #8fd3ab); color: light-dark(#fff, #10261a); font: inherit;
           font-weight: 600 }}
  button.quiet {{ background: none; border: 1px solid light-dark(#b9b3a7, #6b665c); color: inherit }}
  button:focus-visible {{ outline: 3px solid #c9772b; outline-offset: 2px }}
</style>
</head>
<body>
<main>
<svg width="30" height="30" viewBox="0 0 30 30" fill="currentColor" aria-hidden="true">
<rect x="10" y="3" width="10" height="6" rx="3"/><rect x="6" y="11" width="18" height="7" rx="3.5"/>
<rect x="1" y="20" width="28" height="8" rx="4"/></svg>
<h1>{title}</h1>
<p>{text}</p>
{form}
</main>
</body>
</html>
"""
