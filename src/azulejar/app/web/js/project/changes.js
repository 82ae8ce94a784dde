/** Changes of the board: one after the other, undone and redone; none of two people's at once is lost. */

import * as api from "../common/api.js";
import { mayWork } from "../session.js";
import { text } from "../common/texts.js";
import { showError, showMessage, withdrawUndo } from "../common/toast.js";

export const TRAY = -1;

/** What changes the board of a project; the store adds what it shows. */
export class Changes extends EventTarget {
  queue = Promise.resolve();
  pending = 0; // changes that the table shows already and the server has not answered yet

  /** Send changes one after the other, each based on the board that the one before left. */
  change(send) {
    withdrawUndo();
    this.pending += 1;
    const next = this.queue.then(async () => {
      try {
        const state = await send(this.revision);
        this.pending -= 1;
        this.setBoard(state);
      } catch (error) {
        this.pending -= 1;
        await this.recover(error);
      }
    });
    this.queue = next;
    return next;
  }

  async recover(error) {
    if (error.status === 409) {
      await this.reload();
      showMessage(error.problem, error.remedy);
    } else {
      showError(error);
      this.emit("board"); // the table takes back what it showed in advance
    }
  }

  /** Make a change by hand. If somebody else was quicker, it is made on their board, unless they have changed the
   * same tiles. */
  edit(edit) {
    const send = (revision) => api.sendEdit(this.id, { ...edit, revision });
    return this.change(merging(this, send, (before, now) => isUntouched(edit, before, now)));
  }

  undo() {
    if (!this.state.undo) return null;
    return this.change(merging(this, (revision) => api.undo(this.id, revision)));
  }

  redo() {
    if (!this.state.redo) return null;
    return this.change(merging(this, (revision) => api.redo(this.id, revision)));
  }

  restore(version) {
    return this.change((revision) => api.restoreVersion(this.id, version, revision));
  }

  /** Place tiles; other tiles in their places go to the tray. */
  lay(label, placed) {
    const laid = new Set(placed.map((each) => each.tile));
    const pushed = placed
      .map((each) => this.tileAt(each))
      .filter((tile) => tile !== null && !laid.has(tile))
      .map((tile) => ({ ...this.placeOf(tile), panel: TRAY }));
    const present = this.board.missing.filter((place) => placed.some((each) => samePlace(each, place)));
    return this.edit({ label, placed: [...placed, ...pushed], present });
  }
}

/** Return a function that sends a change made on the board of a revision. If somebody else was quicker, it is made on
 * their board, unless `isSafe(before, now)` denies it: then theirs stays, and the error says so. */
function merging(store, send, isSafe = () => true) {
  return async (revision) => {
    if (!mayWork()) throw new api.ServerError(text("role.look.only"), text("role.look.remedy"), 403);
    const before = store.board;
    try {
      return await send(revision);
    } catch (error) {
      if (error.code !== "board-changed") throw error;
      await store.reload();
      if (!isSafe(before, store.board)) throw overtaken(store.other);
      return send(store.revision);
    }
  };
}

/** Whether the tiles that an edit names lie and are locked on one board as on the other, and the outlines or
 * old pictures are the same if it changes one. */
function isUntouched({ placed = [], ...edit }, before, now) {
  const of = (...names) => names.flatMap((name) => edit[name] ?? []);
  const pairs = of("forbid", "allow", "accept", "doubt").flatMap((each) => [each.tile, each.other]);
  const tiles = [...of("lock", "unlock", "remove"), ...placed.map((each) => each.tile), ...pairs];
  const same = (name) => JSON.stringify(before[name]) === JSON.stringify(now[name]);
  if (["outlines", "references"].some((name) => of(name).length && !same(name))) return false;
  const state = (board, tile) => [board.placed.find((each) => each.tile === tile), board.locked.includes(tile)];
  return tiles.every((tile) => JSON.stringify(state(before, tile)) === JSON.stringify(state(now, tile)));
}

function overtaken(other) {
  const who = other || text("conflict.somebody");
  return new api.ServerError(text("conflict.problem", { who }), text("conflict.remedy"), 409);
}

export function samePlace(a, b) {
  return a.panel === b.panel && a.row === b.row && a.col === b.col;
}
