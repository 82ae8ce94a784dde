/** A whole panel turned: its tiles, locks and missing places keep their neighbours. */

/** The edit (but for its label) that turns a panel by a quarter clockwise. */
export function quarterTurn(board, panel) {
  const placed = board.placed.filter((each) => each.panel === panel);
  const missing = board.missing.filter((each) => each.panel === panel);
  const all = [...placed, ...missing];
  const top = Math.min(...all.map((each) => each.row));
  const left = Math.min(...all.map((each) => each.col));
  const bottom = Math.max(...all.map((each) => each.row));
  const moved = ({ row, col }) => ({ row: top + col - left, col: left + bottom - row });
  const locks = board.locked.filter((tile) => placed.some((each) => each.tile === tile));
  return {
    placed: placed.map((each) => ({ ...each, ...moved(each), turn: (each.turn + 90) % 360 })),
    unlock: locks,
    lock: locks,
    present: missing,
    missing: missing.map((each) => ({ ...each, ...moved(each) })),
  };
}
