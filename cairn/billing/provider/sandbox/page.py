"""Contains the styles and HTML fragments of the sandbox pages. Each page says that nothing is charged."""

STYLE = """
  main { padding: 0 }
  .notice { margin: 0; padding: .7rem 1.5rem; background: var(--amber-soft); font-size: .9375rem;
            color: var(--amber-text) }
  .notice b { white-space: nowrap }
  .body { padding: 1.5rem }
  .amount { margin: .25rem 0 1.25rem; font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums }
  .amount small { font-size: 1rem; font-weight: 400; color: var(--soft) }
  p { margin: .75rem 0 0 }
  label { display: block; margin-top: 1rem; font-weight: 500 }
  input { width: 100%; min-height: 2.9rem; margin-top: .3rem; padding: 0 .8rem; font: inherit; color: inherit;
          font-variant-numeric: tabular-nums; background: var(--ground);
          border: 1px solid var(--edge); border-radius: 10px }
  input[aria-invalid] { border-color: var(--red) }
  .hint { color: var(--soft); font-size: .9375rem }
  .columns { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
  .error { margin: .3rem 0 0; color: var(--red); font-size: .9375rem; font-weight: 400 }
  .quiet { margin-top: .75rem }
  .danger, .danger:hover { background: var(--red); color: light-dark(#fff, #3a0b06) }
"""

NOTICE = '<p class="notice"><b>{sandbox}</b> {notice}</p>'

FIELD = """\
<label>{label}
<input name="{name}" value="{value}" {attributes}{state}>{error}</label>
"""
FIELD_ERROR = '<span class="error" id="error-{name}" style="display:block">{message}</span>'
