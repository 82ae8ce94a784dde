/** How two boards differ, apart from turns and shifts of whole panels. */

/** A place after 0 to 3 quarter turns about the origin. */
const QUARTER_TURNS = [
  ({ row, col }) => ({ row, col }),
  ({ row, col }) => ({ row: col, col: -row }),
  ({ row, col }) => ({ row: -row, col: -col }),
  ({ row, col }) => ({ row: -col, col: row }),
];

/** `board` with each panel turned and shifted as a whole to match most of its tiles in `like`. */
export function aligned(board, like) {
  const there = new Map(like.placed.map((each) => [each.tile, each]));
  const counts = new Map();
  for (const then of board.placed) {
    const now = there.get(then.tile);
    if (!now || then.panel < 0 || then.panel !== now.panel) continue;
    const ofPanel = counts.get(then.panel) ?? new Map();
    counts.set(then.panel, ofPanel.set(motion(then, now), (ofPanel.get(motion(then, now)) ?? 0) + 1));
  }
  const common = new Map([...counts].map(([panel, ofPanel]) => [panel, most(ofPanel)]));
  const move = (each) => (common.has(each.panel) ? moved(each, common.get(each.panel)) : each);
  return { ...board, placed: board.placed.map(move), missing: board.missing.map(move), outlines: [] };
}

/** Tiles whose panel, place or turn differs. */
export function differences(a, b) {
  const before = new Map(a.placed.map((each) => [each.tile, each]));
  const same = (then, now) =>
    then?.panel === now.panel &&
    (now.panel < 0 || (then.row === now.row && then.col === now.col && then.turn === now.turn));
  return b.placed.filter((now) => !same(before.get(now.tile), now)).map((now) => now.tile);
}

/** The motion of a tile from one place to another: quarter turns, rows and columns. */
function motion(then, now) {
  const quarters = ((now.turn - then.turn + 360) % 360) / 90;
  const { row, col } = QUARTER_TURNS[quarters](then);
  return `${quarters} ${now.row - row} ${now.col - col}`;
}

function moved(each, motion) {
  const [quarters, rows, cols] = motion.split(" ").map(Number);
  const { row, col } = QUARTER_TURNS[quarters](each);
  const place = { ...each, row: row + rows, col: col + cols };
  return "turn" in each ? { ...place, turn: (each.turn + 90 * quarters) % 360 } : place;
}

function most(counts) {
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
