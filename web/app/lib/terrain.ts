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

const STEP = 20;

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
  let path = "";
  const starts = [...next.entries()].sort(([, a], [, b]) => a.length - b.length);
  for (const [start] of starts) {
    let here = next.get(start)?.pop();
    if (!here) continue;
    path += `M${start.replace(",", " ")}`;
    let from = start;
    while (here) {
      const at: string = name(here);
      const back = next.get(at) ?? [];
      back.splice(
        back.findIndex((point) => name(point) === from),
        1,
      );
      path += `L${here.x} ${here.y}`;
      from = at;
      here = back.pop();
    }
  }
  return path;
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
