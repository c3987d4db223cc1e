/** Returns the elevation at a corner of a cell. The picture is divided into a grid of cells. */
type Elevation = (column: number, row: number) => number;

/**
 * Returns SVG paths of contour lines on a generated landscape, one path per level. The same seed always gives the same
 * landscape.
 */
export function contours(seed: string, width: number, height: number, levelCount: number): string[] {
  const hills = randomHills(seed);
  const columns = Math.ceil(width / CELL_SIZE);
  const rows = Math.ceil(height / CELL_SIZE);
  const elevation: Elevation = (column, row) => elevationAt(hills, column / columns, row / rows);
  // A single hill is at most 1 high, so the levels are spread between 0 and 1.
  return Array.from({ length: levelCount }, (_, index) =>
    traceLevel(elevation, columns, rows, (index + 0.6) / (levelCount + 1)),
  ).filter(Boolean);
}

/**
 * Returns the landscape of `contours` as filled areas, from the lowest to the highest. The land is surrounded by a margin
 * below sea level that is `SHORE` wide, so that every line is closed. The picture starts at (SHORE, SHORE).
 */
export function plateaus(seed: string, width: number, height: number, levelCount: number): string[] {
  const hills = randomHills(seed);
  const columns = Math.ceil(width / CELL_SIZE);
  const rows = Math.ceil(height / CELL_SIZE);
  const land: Elevation = (column, row) => elevationAt(hills, (column - 1) / columns, (row - 1) / rows);
  const [lowest, highest] = lowestAndHighest(land, columns, rows);
  const elevation: Elevation = (column, row) => {
    const isSea = column < 1 || row < 1 || column > columns + 1 || row > rows + 1;
    return isSea ? lowest - 1 : land(column, row);
  };
  return Array.from({ length: levelCount }, (_, index) =>
    traceLevel(elevation, columns + 2, rows + 2, lowest + ((highest - lowest) * (index + 0.5)) / levelCount),
  ).filter(Boolean);
}

function lowestAndHighest(land: Elevation, columns: number, rows: number): [number, number] {
  const heights = Array.from({ length: (columns + 1) * (rows + 1) }, (_, index) =>
    land(1 + (index % (columns + 1)), 1 + Math.floor(index / (columns + 1))),
  );
  return [Math.min(...heights), Math.max(...heights)];
}

/** Returns the highest point that is not at the edge, as fractions of width and height. */
export function summit(seed: string): Point {
  const hills = randomHills(seed);
  const candidates = Array.from({ length: CANDIDATE_COLUMNS * CANDIDATE_ROWS }, (_, index) => ({
    x: 0.16 + 0.03 * (index % CANDIDATE_COLUMNS),
    y: 0.16 + 0.03 * Math.floor(index / CANDIDATE_COLUMNS),
  }));
  return candidates.reduce((best, point) =>
    elevationAt(hills, point.x, point.y) > elevationAt(hills, best.x, best.y) ? point : best,
  );
}

const [CANDIDATE_COLUMNS, CANDIDATE_ROWS] = [24, 27];
/** The unit of these two lengths is that of the SVG paths. */
const CELL_SIZE = 20;
export const SHORE = CELL_SIZE;

/** `x`, `y` and `spread` are fractions of the width and height. A hill with a negative `rise` is a hollow. */
type Hill = { x: number; y: number; spread: number; rise: number };
type Point = { x: number; y: number };

function randomHills(seed: string): Hill[] {
  const random = randomNumbers(seed);
  return Array.from({ length: 7 }, (_, index) => ({
    x: random() * 1.2 - 0.1,
    y: random() * 1.2 - 0.1,
    spread: 0.1 + random() * 0.22,
    rise: (index % 4 === 3 ? -0.4 : 0.75) + random() * 0.25,
  }));
}

/** Adds up the hills, each of which has the shape of a Gaussian curve. `x` and `y` are fractions of width and height. */
function elevationAt(hills: Hill[], x: number, y: number): number {
  return hills.reduce(
    (sum, hill) =>
      sum + hill.rise * Math.exp(-((x - hill.x) ** 2 + (y - hill.y) ** 2) / (2 * hill.spread ** 2)),
    0,
  );
}

/** Each point of a contour line, as returned by `key`, with the points to which a segment leads from it. */
type Neighbors = Map<string, Point[]>;

/**
 * Traces one level with the marching squares algorithm: joins the points where the level crosses the sides of a cell.
 */
function traceLevel(elevation: Elevation, columns: number, rows: number, level: number): string {
  const neighbors: Neighbors = new Map();
  const addNeighbor = (point: Point, neighbor: Point) => {
    const known = neighbors.get(key(point));
    if (known) known.push(neighbor);
    else neighbors.set(key(point), [neighbor]);
  };
  const join = (from: Point, to: Point) => {
    addNeighbor(from, to);
    addNeighbor(to, from);
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [first, second, third, fourth] = crossings(elevation, column, row, level);
      if (first && second) join(first, second);
      if (third && fourth) join(third, fourth);
    }
  }
  return drawLines(neighbors);
}

/** Returns the two or four points where the level crosses the sides of a cell, or none. */
function crossings(elevation: Elevation, x: number, y: number, level: number): Point[] {
  const corners = [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
  ] as const;
  return corners.flatMap(([ax, ay], index) => {
    const [bx, by] = corners[(index + 1) % 4] ?? corners[0];
    const [a, b] = [elevation(ax, ay) - level, elevation(bx, by) - level];
    if (a > 0 === b > 0) return [];
    const fraction = a / (a - b);
    return [
      {
        x: Math.round((ax + (bx - ax) * fraction) * CELL_SIZE),
        y: Math.round((ay + (by - ay) * fraction) * CELL_SIZE),
      },
    ];
  });
}

/** Lines that leave the picture are drawn first, from one end to the other. The remaining lines are closed. */
function drawLines(neighbors: Neighbors): string {
  const endsFirst = [...neighbors].toSorted(([, a], [, b]) => a.length - b.length);
  return endsFirst.map(([start]) => smooth(takeLine(neighbors, start))).join("");
}

/** Follows a line from one crossing to the next and removes each segment that it has followed. */
function takeLine(neighbors: Neighbors, start: string): Point[] {
  const [x = 0, y = 0] = start.split(",").map(Number);
  const line = [{ x, y }];
  let from = start;
  for (let point = neighbors.get(start)?.pop(); point; point = neighbors.get(from)?.pop()) {
    line.push(point);
    const reverse = neighbors.get(key(point)) ?? [];
    reverse.splice(reverse.map(key).indexOf(from), 1);
    from = key(point);
  }
  return line;
}

/** Draws curves through the midpoints of the segments, so that the grid does not show. */
function smooth(line: Point[]): string {
  const [first, ...rest] = line;
  if (!first || rest.length < 2) return "";
  const curves = rest.slice(0, -1).map((point, index) => {
    const nextPoint = rest[index + 1] ?? point;
    return `Q${point.x} ${point.y} ${Math.round((point.x + nextPoint.x) / 2)} ${Math.round((point.y + nextPoint.y) / 2)}`;
  });
  const isClosed = key(first) === key(rest.at(-1) ?? first);
  return `M${first.x} ${first.y}${curves.join("")}${isClosed ? "Z" : ""}`;
}

const key = (point: Point): string => `${point.x},${point.y}`;

/** Returns a function that returns the next number between 0 and 1 of a sequence that depends only on the seed. */
function randomNumbers(seed: string): () => number {
  let state = [...seed].reduce(
    (hash, character) => Math.imul(hash ^ character.charCodeAt(0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}
