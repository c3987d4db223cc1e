import { plateaus, SHORE, summit } from "~/lib/terrain";
import { CAIRN_PATH } from "~/ui/logo";
import type { Route } from "./+types/blog-picture";

const [WIDTH, HEIGHT] = [1200, 480];
const LEVELS = 12;
const CAIRN_SIZE = 44;
/** CAIRN_PATH is drawn in a square of this size. */
const CAIRN_PATH_SIZE = 24;

// An image cannot see the theme of the page, so it follows the system theme, like the public pages.
const STYLE =
  "svg{background:#eaf3e9}path{fill:#2b6a48;fill-opacity:.075;stroke:#275c3f;stroke-opacity:.4}.cairn{fill:#c9572a;fill-opacity:1;stroke:none}" +
  "@media(prefers-color-scheme:dark){svg{background:#1a2a20}path{fill:#7ccb9b;stroke:#7ccb9b}.cairn{fill:#ef8c5a}}";

/**
 * Draws the picture of an article: a map tinted by height with a cairn on its summit. The slug determines the
 * landscape.
 */
export function loader({ params }: Route.LoaderArgs): Response {
  const seed = params.picture.replace(/\.svg$/, "");
  const land = plateaus(seed, WIDTH, HEIGHT, LEVELS).map(
    (area, level) => `<path d="${area}" stroke-width="${level % 4 === 3 ? 1.6 : 0.8}"/>`,
  );
  const top = summit(seed);
  const transform = `translate(${Math.round(SHORE + top.x * WIDTH - CAIRN_SIZE / 2)} ${Math.round(SHORE + top.y * HEIGHT - CAIRN_SIZE)})`;
  const cairn = `<path class="cairn" transform="${transform} scale(${CAIRN_SIZE / CAIRN_PATH_SIZE})" d="${CAIRN_PATH}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${SHORE} ${SHORE} ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice" fill-rule="evenodd" stroke-linejoin="round"><style>${STYLE}</style>${land.join("")}${cairn}</svg>`;
  return new Response(svg, { headers: { "Content-Type": "image/svg+xml" } });
}
