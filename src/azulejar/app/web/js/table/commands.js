/** Commands of keys and buttons on the selection: each makes one edit, or says why not. */

import { LOOSE } from "./layout.js";
import * as moves from "./moves.js";

const LONGEST = 120; // letters of a label

export class Commands {
  constructor(table) {
    this.table = table;
  }

  label(key, tiles) {
    const { table } = this;
    return table.labels.write(key, { count: tiles.length, number: table.numberOf(tiles[0]) }).slice(0, LONGEST);
  }

  /** The tiles that a command applies to: the selection, else the one under cursor or pointer. */
  targets() {
    const { table } = this;
    if (table.selected.size) return table.selection;
    const tile = table.cursor.shown ? table.cursor.tile : (table.hover?.tile ?? null);
    return tile === null ? [] : [tile];
  }

  /** Whether the user may change the board now; if not, tell why. */
  allowed() {
    const { table } = this;
    if (!table.editable && !table.readOnly) table.notify(table.looking ? "role.look.only" : "table.notice.busy");
    return table.editable;
  }

  #carryOut(plan, key, tiles) {
    const { table } = this;
    if (!this.allowed()) return;
    if (plan.blocked.length) return table.refuse(plan.blocked);
    const edit = moves.editOf(table.layout, plan, this.label(key, tiles));
    if (edit) table.commit(edit);
  }

  turn(steps) {
    const tiles = this.targets();
    if (tiles.length) this.#carryOut(moves.planTurning(this.table.layout, tiles, steps), "table.edit.turn", tiles);
  }

  lift() {
    const tiles = this.targets().filter((tile) => this.table.layout.of(tile).panel !== LOOSE);
    if (tiles.length) this.#carryOut(moves.planLifting(this.table.layout, tiles), "table.edit.lift", tiles);
  }

  /** Move the selection by a place. */
  nudge(rows, cols) {
    const { table } = this;
    const tiles = table.selection.filter((tile) => table.layout.of(tile).panel === table.panel);
    if (!tiles.length || table.panel === LOOSE) return;
    this.#carryOut(moves.planShift(table.layout, tiles, rows, cols), "table.edit.move", tiles);
    table.cursor.toTile(tiles[0]);
    table.cursor.reveal();
    table.cursor.speak();
  }

  /** Put the selected tiles down with the first at a place. */
  putSelection(place) {
    const { table } = this;
    const tiles = table.selection;
    if (!tiles.length || !place || place.panel === LOOSE) return;
    const from = table.layout.of(tiles[0]);
    const together = tiles.every((tile) => table.layout.of(tile).panel === place.panel);
    const plan = together
      ? moves.planShift(table.layout, tiles, place.row - from.row, place.col - from.col)
      : moves.planLaying(table.layout, tiles, place.panel, place.row, place.col);
    this.#carryOut(plan, "table.edit.move", tiles);
  }

  /** Move tiles to the right of another panel. */
  moveTo(panel) {
    const { layout } = this.table;
    const tiles = this.targets();
    if (!tiles.length) return;
    this.#carryOut(moves.planBeside(layout, tiles, panel, moves.shapeOf(layout, tiles)), "table.edit.move", tiles);
  }

  /** Put a candidate at a place, and select it. */
  putAt({ tile, turn }, place) {
    this.#carryOut(moves.planPutting(this.table.layout, tile, turn, place), "table.edit.place", [tile]);
    this.table.select([tile]);
  }

  toggleLock() {
    const { table } = this;
    const tiles = this.targets().filter((tile) => table.layout.of(tile).panel !== LOOSE);
    if (!tiles.length || !this.allowed()) return;
    const open = tiles.filter((tile) => !table.layout.locked.has(tile));
    table.commit(open.length
      ? { label: this.label("table.edit.lock", open), lock: open }
      : { label: this.label("table.edit.unlock", tiles), unlock: tiles });
  }

  /** Refuse, or allow again, the joint between two selected neighbours. */
  forbid() {
    const { table } = this;
    if (!this.allowed()) return;
    const pair = table.selected.size === 2 ? moves.pairBetween(table.layout, ...table.selection) : null;
    if (!pair) return table.notify("table.notice.pair");
    const values = { number: table.numberOf(pair.tile), other: table.numberOf(pair.other) };
    const again = moves.isForbidden(table.layout, pair);
    const label = table.labels.write(again ? "table.edit.allow" : "table.edit.forbid", values).slice(0, LONGEST);
    table.commit(again ? { label, allow: [pair] } : { label, forbid: [pair] });
  }

  /** Mark a place as missing, or as one to be filled again. */
  toggleMissing(place) {
    const { table } = this;
    if (!place || place.panel === LOOSE || !this.allowed()) return;
    const { panel, row, col } = place;
    if (table.layout.at(panel, row, col) !== null) return table.notify("table.notice.taken");
    const marked = table.layout.isMissing(panel, row, col);
    const label = table.labels.write(marked ? "table.edit.present" : "table.edit.missing");
    table.commit({ label, [marked ? "present" : "missing"]: [{ panel, row, col }] });
  }
}
