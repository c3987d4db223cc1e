/**
 * Rewrites React Router's inline start script so that a prerendered page requests its scripts only after the first
 * paint. The user sees the page sooner, and it becomes interactive a moment later.
 */
export function deferScripts(html: string): string {
  if (!html.includes("modulepreload")) return html;
  const script = /<script type="module" async="">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  return html
    .replaceAll('rel="modulepreload"', 'rel="deferred-preload"')
    .replace(script, () => deferredScript(script));
}

/**
 * A hidden page gets no animation frames, so its scripts start immediately. If a script cannot be loaded, clicks are no
 * longer held back, so that links and forms work as without scripts.
 */
function deferredScript(script: string): string {
  const imports = [...script.matchAll(/^import (?:\* as (\w+) from )?("[^"]+");/gm)];
  const modules = /window\.__reactRouterRouteModules = ({.*?});/.exec(script)?.[1];
  const entry = /import\(("[^"]+")\)/.exec(script)?.[1];
  if (!modules || !entry)
    throw new Error("React Router's start script has changed; adapt scripts/defer-scripts.ts.");
  const names = imports.map(([, name = ""]) => name).join();
  const promises = imports.map(([, , file]) => `import(${file})`).join();
  return `${REPLAY_CLICK}
async function start() {
  for (const link of document.querySelectorAll('link[rel="deferred-preload"]')) link.rel = "modulepreload";
  const [${names}] = await Promise.all([${promises}]);
  window.__reactRouterRouteModules = ${modules};
  await import(${entry});
}
const begin = () => start().catch(replay);
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));
`;
}

/**
 * Remembers the last click on a button until the app is ready, and then repeats it. The browser keeps typed text
 * anyway.
 */
const REPLAY_CLICK = `
let clicked;
function hold(event) {
  const button = event.target.closest("button");
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  clicked = button;
}
function replay() {
  removeEventListener("click", hold, true);
  clicked?.click();
}
addEventListener("click", hold, true);
addEventListener("cairn:ready", replay, { once: true });`;
