import { contours } from "~/lib/terrain";
import type { Route } from "./+types/art";

const [WIDTH, HEIGHT] = [800, 480];
const LEVELS = 9;

/**
 * Draws a map as a separate file at build time, because inline it would be the largest part of a page. Every fourth
 * line is thicker.
 */
export function loader({ params }: Route.LoaderArgs): Response {
  const seed = (params.drawing ?? "").replace(/\.svg$/, "");
  const lines = contours(seed, WIDTH, HEIGHT, LEVELS).map(
    (line, level) => `<path d="${line}" stroke-width="${level % 4 === 3 ? 1.6 : 0.9}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice" fill="none" stroke="#000" stroke-linejoin="round">${lines.join("")}</svg>`;
  return new Response(svg, { headers: { "Content-Type": "image/svg+xml" } });
}
