/** Which tiles lie differently in two boards. */

/** Tiles whose place or turn differs; a panel that was only shifted as a whole is the same. */
export function differences(a, b) {
  const before = new Map(a.placed.map((each) => [each.tile, each]));
  const shifts = commonShifts(before, b.placed);
  return b.placed.filter((now) => !isSame(before.get(now.tile), now, shifts)).map((now) => now.tile);
}

function isSame(then, now, shifts) {
  if (!then || then.panel !== now.panel) return false;
  if (now.panel < 0) return true;
  const shift = shifts.get(now.panel);
  return then.turn === now.turn && shiftOf(then, now) === shift;
}

const shiftOf = (then, now) => `${now.row - then.row} ${now.col - then.col}`;

/** Of each panel, the shift that most of its tiles made. */
function commonShifts(before, placed) {
  const counts = new Map();
  for (const now of placed) {
    const then = before.get(now.tile);
    if (!then || then.panel !== now.panel || then.turn !== now.turn || now.panel < 0) continue;
    const ofPanel = counts.get(now.panel) ?? new Map();
    counts.set(now.panel, ofPanel);
    const shift = shiftOf(then, now);
    ofPanel.set(shift, (ofPanel.get(shift) ?? 0) + 1);
  }
  const most = (ofPanel) => [...ofPanel].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
  return new Map([...counts].map(([panel, ofPanel]) => [panel, most(ofPanel)]));
}
