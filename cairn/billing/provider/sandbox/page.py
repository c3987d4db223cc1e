"""The pages of the sandbox: server-drawn, without any script, and saying on each that nothing is charged."""

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · Cairn sandbox</title>
<style>
  :root {{ color-scheme: light dark; --ink: light-dark(#23211d, #f1eee8); --soft: light-dark(#625d53, #b9b3a7);
          --line: light-dark(#d9d4ca, #4a453e); --forest: light-dark(#1f5138, #8fd3ab);
          --red: light-dark(#a3261c, #ff9b8f) }}
  * {{ box-sizing: border-box }}
  body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem;
         font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f5f3ef, #1c1a17); color: var(--ink) }}
  main {{ width: min(27rem, 100%); border: 1px solid var(--line); border-radius: 14px; overflow: hidden;
         background: light-dark(#fff, #262320) }}
  .play {{ margin: 0; padding: .7rem 1.5rem; background: light-dark(#fbe9c8, #4a3710); font-size: .9375rem;
          color: light-dark(#5a3d05, #ffe2ac) }}
  .play b {{ white-space: nowrap }}
  .body {{ padding: 1.5rem }}
  h1 {{ margin: 0; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere }}
  .sum {{ margin: .25rem 0 1.25rem; font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums }}
  .sum small {{ font-size: 1rem; font-weight: 400; color: var(--soft) }}
  p {{ margin: .75rem 0 0; overflow-wrap: anywhere }}
  label {{ display: block; margin-top: 1rem; font-weight: 500 }}
  input {{ width: 100%; min-height: 2.9rem; margin-top: .3rem; padding: 0 .8rem; font: inherit; color: inherit;
          font-variant-numeric: tabular-nums; background: light-dark(#fff, #1c1a17);
          border: 1px solid light-dark(#8d8778, #8d8778); border-radius: 10px }}
  input[aria-invalid] {{ border-color: var(--red) }}
  .hint {{ color: var(--soft); font-size: .9375rem }}
  .two {{ display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }}
  .wrong {{ margin: .3rem 0 0; color: var(--red); font-size: .9375rem; font-weight: 400 }}
  button, .button {{ display: flex; align-items: center; justify-content: center; width: 100%; min-height: 3rem;
           margin-top: 1.5rem; border: 0; border-radius: 10px; cursor: pointer; background: var(--forest);
           color: light-dark(#fff, #10261a); font: inherit; font-weight: 600; text-decoration: none }}
  .quiet {{ margin-top: .75rem; background: none; border: 1px solid light-dark(#8d8778, #8d8778); color: inherit }}
  .end {{ background: light-dark(#a3261c, #ff9b8f); color: light-dark(#fff, #3a0b06) }}
  :is(button, .button, input):focus-visible {{ outline: 3px solid #c9772b; outline-offset: 2px }}
</style>
</head>
<body>
<main>
<p class="play"><b>Sandbox:</b> nothing is charged here, and no card number is kept. Never enter a real card.</p>
<div class="body">
{body}
</div>
</main>
</body>
</html>
"""

FIELD = """\
<label>{label}
<input name="{name}" value="{value}" {how}{state}>{wrong}</label>
"""
WRONG = '<span class="wrong" id="wrong-{name}" style="display:block">{words}</span>'
