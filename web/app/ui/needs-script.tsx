/** Tells users who have disabled scripts that the page needs them. */
export function NeedsScript() {
  return (
    <noscript>
      <p className="my-6 rounded-card border border-amber-text/25 bg-amber-soft px-4 py-3 text-amber-text">
        This page needs JavaScript, which is switched off in your browser.
      </p>
    </noscript>
  );
}
