/** The colours of the table, from the --table-* variables of the style sheet. */

const NAMES = [
  "ground", "sheet", "sheet-rim", "tray", "tray-rim", "text", "quiet", "hole", "blank", "hatch",
  "select", "select-soft", "halo", "cursor", "doubt", "glow", "refuse", "sign", "sign-ground", "finding", "shadow",
];

export class Palette {
  constructor(element) {
    this.element = element;
    this.read();
  }

  read() {
    const style = getComputedStyle(this.element);
    for (const name of NAMES) {
      const key = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
      this[key] = style.getPropertyValue(`--table-${name}`).trim() || "#888888";
    }
    this.font = style.fontFamily || "sans-serif";
  }
}
