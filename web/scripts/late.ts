/** A page that is built ahead is read before it answers: its scripts are asked for once it has been painted. */
export function startLate(html: string): string {
  if (!html.includes("modulepreload")) return html;
  const words = /<script type="module" async="">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  return html.replaceAll('rel="modulepreload"', 'rel="later"').replace(words, () => late(words));
}

function late(words: string): string {
  const files = [...words.matchAll(/^import (?:\* as (\w+) from )?("[^"]+");/gm)];
  const modules = /window\.__reactRouterRouteModules = ({.*?});/.exec(words)?.[1];
  const entry = /import\(("[^"]+")\)/.exec(words)?.[1];
  if (!modules || !entry) throw new Error("The router starts its pages in another way now.");
  const names = files.map(([, name = ""]) => name).join();
  const fetched = files.map(([, , file]) => `import(${file})`).join();
  return `${HOLD}
async function start() {
  for (const link of document.querySelectorAll('link[rel="later"]')) link.rel = "modulepreload";
  const [${names}] = await Promise.all([${fetched}]);
  window.__reactRouterRouteModules = ${modules};
  await import(${entry});
}
const begin = () => start().catch(release);
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));
`;
}

/** What is pressed before anybody answers is pressed again as soon as somebody does; what was typed stays anyway. */
const HOLD = `
let held;
function hold(event) {
  const button = event.target.closest("button");
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  held = button;
}
function release() {
  removeEventListener("click", hold, true);
  held?.click();
}
addEventListener("click", hold, true);
addEventListener("cairn:ready", release, { once: true });`;
