/**
 * Pictures of the tiles: atlas pages at several sizes, fetched when they are first wanted and
 * decoded off the main thread; until one comes, the best that is there stands in.
 */

const AT_ONCE = 4;
const MOST_PIXELS = 64e6; // of decoded pages that are kept
// A tile's own picture, where it shows this many times larger than on the finest level.
const CLOSEUP = { size: 512, from: 1.6, finest: 256, most: 120 };
const PATIENCE = 2000; // ms until a picture that did not come is asked for again, then twice that…

export class Atlas {
  /** `onPicture` is called when a picture has come; until then, those of a `former` atlas stand in. */
  constructor(baseUrl, atlas, onPicture, former = null) {
    this.former = former;
    former?.dropFormer();
    this.baseUrl = baseUrl;
    this.stamp = atlas.stamp;
    this.onPicture = onPicture;
    this.cells = new Map(atlas.tiles.map((tile, cell) => [tile, cell]));
    this.levels = atlas.levels
      .map((size, k) => ({ size, columns: atlas.columns[k], perPage: atlas.per_page[k] }))
      .sort((a, b) => a.size - b.size);
    this.pictures = new Map(); // address → {image, pixels, used} or null while it is fetched
    this.wanted = new Map();
    this.failures = new Map();
    this.fetching = 0;
    this.clock = 0;
    this.kept = 0;
    this.closed = false;
  }

  close() {
    this.closed = true;
    this.dropFormer();
    this.wanted.clear();
    for (const picture of this.pictures.values()) picture?.image.close();
    this.pictures.clear();
  }

  dropFormer() {
    this.former?.close();
    this.former = null;
  }

  /** Forget what was wanted for an earlier drawing and not yet asked for. */
  begin() {
    this.wanted.clear();
    this.clock += 1;
  }

  /** What is drawn from now on stays on the screen until the next such call: it is not let go. */
  keep() {
    this.kept = this.clock;
  }

  /** Ask for what this drawing missed; the coarsest first, so that something shows soon. */
  end() {
    const order = [...this.wanted].sort(([, a], [, b]) => a - b);
    this.wanted = new Map(order);
    if (!order.length && !this.fetching) this.dropFormer();
    this.#fetchMore();
  }

  /** Draw a tile's picture into a box of device pixels; false if nothing is there yet. */
  draw(context, tile, x, y, width, height, turn) {
    const size = Math.max(width, height);
    const source = this.#source(tile, size) ?? this.former?.#source(tile, size);
    if (!source) return false;
    const { image, sx, sy, side } = source;
    if (turn === 0) {
      context.drawImage(image, sx, sy, side, side, x, y, width, height);
      return true;
    }
    const [across, down] = turn % 180 === 0 ? [width, height] : [height, width];
    context.save();
    context.translate(x + width / 2, y + height / 2);
    context.rotate((turn * Math.PI) / 180);
    context.drawImage(image, sx, sy, side, side, -across / 2, -down / 2, across, down);
    context.restore();
    return true;
  }

  #source(tile, size) {
    const cell = this.cells.get(tile);
    if (cell === undefined) return null;
    const largest = this.levels.at(-1);
    if (size > largest.size * CLOSEUP.from && largest.size >= CLOSEUP.finest) {
      const address = `${this.baseUrl}/tiles/${tile}/picture?size=${CLOSEUP.size}`;
      const picture = this.#picture(address, 1e6);
      if (picture) return { image: picture.image, sx: 0, sy: 0, side: picture.image.width };
    }
    const best = this.levels.findIndex((level) => level.size >= size * 0.8);
    const index = best < 0 ? this.levels.length - 1 : best;
    // Finer pictures stand in better than coarser ones; the coarsest is wanted on the way.
    return this.#onLevel(index, cell, true) ?? this.#standIn(index, cell);
  }

  #standIn(index, cell) {
    for (let k = index + 1; k < this.levels.length; k += 1) {
      const source = this.#onLevel(k, cell, false);
      if (source) return source;
    }
    for (let k = index - 1; k >= 0; k -= 1) {
      const source = this.#onLevel(k, cell, k === 0);
      if (source) return source;
    }
    return null;
  }

  #onLevel(index, cell, wanted) {
    const { size, columns, perPage } = this.levels[index];
    const page = Math.floor(cell / perPage);
    const picture = this.#picture(`${this.baseUrl}/atlas/${this.stamp}/${size}/${page}`, wanted ? size : null);
    if (!picture) return null;
    const within = cell % perPage;
    const [sx, sy] = [(within % columns) * size, Math.floor(within / columns) * size];
    return { image: picture.image, sx, sy, side: size };
  }

  #picture(address, urgency) {
    const picture = this.pictures.get(address);
    if (picture) picture.used = this.clock;
    else if (picture === undefined && urgency !== null) this.wanted.set(address, urgency);
    return picture ?? null;
  }

  #fetchMore() {
    for (const [address] of this.wanted) {
      if (this.fetching >= AT_ONCE) return;
      this.wanted.delete(address);
      this.#fetch(address);
    }
  }

  async #fetch(address) {
    this.fetching += 1;
    this.pictures.set(address, null);
    try {
      const answer = await fetch(address);
      if (answer.ok) await this.#take(address, await createImageBitmap(await answer.blob()));
      else if (answer.status >= 500) this.#askAgain(address);
    } catch {
      this.#askAgain(address);
    } finally {
      this.fetching -= 1;
      if (!this.closed) this.#fetchMore();
    }
  }

  #take(address, image) {
    if (this.closed) return image.close();
    this.failures.delete(address);
    this.pictures.set(address, { image, pixels: image.width * image.height, used: this.clock });
    this.#makeRoom();
    return this.onPicture();
  }

  /** Not at once: the server may be starting. */
  #askAgain(address) {
    const failures = this.failures.get(address) ?? 0;
    this.failures.set(address, failures + 1);
    setTimeout(() => {
      if (this.closed) return;
      this.pictures.delete(address);
      this.onPicture();
    }, PATIENCE * 2 ** Math.min(failures, 5));
  }

  #makeRoom() {
    const kept = [...this.pictures].filter(([, picture]) => picture);
    let pixels = kept.reduce((sum, [, picture]) => sum + picture.pixels, 0);
    let closeups = kept.filter(([address]) => address.includes("/picture?")).length;
    for (const [address, picture] of kept.sort(([, a], [, b]) => a.used - b.used)) {
      const closeup = address.includes("/picture?");
      const spare = pixels > MOST_PIXELS || (closeup && closeups > CLOSEUP.most);
      if (picture.used >= this.kept || !spare) continue;
      picture.image.close();
      this.pictures.delete(address);
      pixels -= picture.pixels;
      closeups -= closeup ? 1 : 0;
    }
  }
}
