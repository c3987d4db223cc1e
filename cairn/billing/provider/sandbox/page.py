"""Styles and HTML fragments of the sandbox pages. Each page says that nothing is charged."""

STYLE = """
  main { padding: 0 }
  .notice { margin: 0; padding: .7rem 1.5rem; background: light-dark(#fbe9c8, #4a3710); font-size: .9375rem;
            color: light-dark(#5a3d05, #ffe2ac) }
  .notice b { white-space: nowrap }
  .body { padding: 1.5rem }
  h1 { margin: 0; font-size: 1.35rem }
  .amount { margin: .25rem 0 1.25rem; font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums }
  .amount small { font-size: 1rem; font-weight: 400; color: var(--soft) }
  p { margin: .75rem 0 0 }
  label { display: block; margin-top: 1rem; font-weight: 500 }
  input { width: 100%; min-height: 2.9rem; margin-top: .3rem; padding: 0 .8rem; font: inherit; color: inherit;
          font-variant-numeric: tabular-nums; background: light-dark(#fff, #1c1a17);
          border: 1px solid light-dark(#8d8778, #8d8778); border-radius: 10px }
  input[aria-invalid] { border-color: var(--red) }
  .hint { color: var(--soft); font-size: .9375rem }
  .columns { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
  .error { margin: .3rem 0 0; color: var(--red); font-size: .9375rem; font-weight: 400 }
  .quiet { margin-top: .75rem }
  .danger { background: light-dark(#a3261c, #ff9b8f); color: light-dark(#fff, #3a0b06) }
"""

NOTICE = '<p class="notice"><b>{sandbox}</b> {notice}</p>'

FIELD = """\
<label>{label}
<input name="{name}" value="{value}" {attributes}{state}>{error}</label>
"""
FIELD_ERROR = '<span class="error" id="error-{name}" style="display:block">{message}</span>'
