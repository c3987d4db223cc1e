/** Contour lines of an invented landscape: the same seed always gives the same hills. */
export function contours(seed: string, width: number, height: number, levels: number): string[] {
  const hills = raiseHills(seed);
  const columns = Math.ceil(width / STEP);
  const rows = Math.ceil(height / STEP);
  const ground = (column: number, row: number) => heightAt(hills, column / columns, row / rows);
  return Array.from({ length: levels }, (_, level) =>
    trace(ground, columns, rows, (level + 0.6) / (levels + 1)),
  ).filter(Boolean);
}

/**
 * The same hills as areas, one above the other from the lowest place to the highest, each to be filled. Around the land lies a strip
 * of sea one `SHORE` wide, so that every line closes: a picture of it begins at (SHORE, SHORE).
 */
export function plateaus(seed: string, width: number, height: number, levels: number): string[] {
  const hills = raiseHills(seed);
  const columns = Math.ceil(width / STEP);
  const rows = Math.ceil(height / STEP);
  const land = (column: number, row: number) => heightAt(hills, (column - 1) / columns, (row - 1) / rows);
  const [lowest, highest] = extremes(land, columns, rows);
  const ground = (column: number, row: number) => {
    const isSea = column < 1 || row < 1 || column > columns + 1 || row > rows + 1;
    return isSea ? lowest - 1 : land(column, row);
  };
  return Array.from({ length: levels }, (_, level) =>
    trace(ground, columns + 2, rows + 2, lowest + ((highest - lowest) * (level + 0.5)) / levels),
  ).filter(Boolean);
}

function extremes(land: (x: number, y: number) => number, columns: number, rows: number): [number, number] {
  const heights = Array.from({ length: (columns + 1) * (rows + 1) }, (_, at) =>
    land(1 + (at % (columns + 1)), 1 + Math.floor(at / (columns + 1))),
  );
  return [Math.min(...heights), Math.max(...heights)];
}

/** Where one would build a cairn: the highest place that is not at the edge, in shares of width and height. */
export function summit(seed: string): Point {
  const hills = raiseHills(seed);
  const places = Array.from({ length: COLUMNS * ROWS }, (_, at) => ({
    x: 0.16 + 0.03 * (at % COLUMNS),
    y: 0.16 + 0.03 * Math.floor(at / COLUMNS),
  }));
  return places.reduce((best, here) =>
    heightAt(hills, here.x, here.y) > heightAt(hills, best.x, best.y) ? here : best,
  );
}

const [COLUMNS, ROWS] = [24, 27];
const STEP = 20;
export const SHORE = STEP;

type Hill = { x: number; y: number; spread: number; rise: number };
type Point = { x: number; y: number };

function raiseHills(seed: string): Hill[] {
  const random = dice(seed);
  return Array.from({ length: 7 }, (_, index) => ({
    x: random() * 1.2 - 0.1,
    y: random() * 1.2 - 0.1,
    spread: 0.1 + random() * 0.22,
    rise: (index % 4 === 3 ? -0.4 : 0.75) + random() * 0.25,
  }));
}

function heightAt(hills: Hill[], x: number, y: number): number {
  return hills.reduce(
    (sum, hill) =>
      sum + hill.rise * Math.exp(-((x - hill.x) ** 2 + (y - hill.y) ** 2) / (2 * hill.spread ** 2)),
    0,
  );
}

/** Marching squares: where a level crosses the sides of a cell, the two crossings are joined. */
function trace(
  ground: (x: number, y: number) => number,
  columns: number,
  rows: number,
  level: number,
): string {
  const next = new Map<string, Point[]>();
  const join = (from: Point, to: Point) => {
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const) {
      const ends = next.get(name(a));
      if (ends) ends.push(b);
      else next.set(name(a), [b]);
    }
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [first, second, third, fourth] = crossings(ground, column, row, level);
      if (first && second) join(first, second);
      if (third && fourth) join(third, fourth);
    }
  }
  return drawLines(next);
}

function crossings(ground: (x: number, y: number) => number, x: number, y: number, level: number): Point[] {
  const corners = [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
  ] as const;
  return corners.flatMap(([ax, ay], index) => {
    const [bx, by] = corners[(index + 1) % 4] ?? corners[0];
    const [a, b] = [ground(ax, ay) - level, ground(bx, by) - level];
    if (a > 0 === b > 0) return [];
    const share = a / (a - b);
    return [
      { x: Math.round((ax + (bx - ax) * share) * STEP), y: Math.round((ay + (by - ay) * share) * STEP) },
    ];
  });
}

function drawLines(next: Map<string, Point[]>): string {
  const ends = [...next].toSorted(([, a], [, b]) => a.length - b.length);
  return ends.map(([start]) => smooth(walk(next, start))).join("");
}

/** Follows a line from one crossing to the next, taking each away behind it. */
function walk(next: Map<string, Point[]>, start: string): Point[] {
  const [x = 0, y = 0] = start.split(",").map(Number);
  const line = [{ x, y }];
  let from = start;
  for (let here = next.get(start)?.pop(); here; here = next.get(from)?.pop()) {
    line.push(here);
    const back = next.get(name(here)) ?? [];
    back.splice(back.map(name).indexOf(from), 1);
    from = name(here);
  }
  return line;
}

/** Curves through the middles of the pieces, so the grid underneath does not show. */
function smooth(line: Point[]): string {
  const [first, ...rest] = line;
  if (!first || rest.length < 2) return "";
  const curves = rest.slice(0, -1).map((point, at) => {
    const after = rest[at + 1] ?? point;
    return `Q${point.x} ${point.y} ${Math.round((point.x + after.x) / 2)} ${Math.round((point.y + after.y) / 2)}`;
  });
  const isClosed = name(first) === name(rest.at(-1) ?? first);
  return `M${first.x} ${first.y}${curves.join("")}${isClosed ? "Z" : ""}`;
}

const name = (point: Point): string => `${point.x},${point.y}`;

function dice(seed: string): () => number {
  let state = [...seed].reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}
