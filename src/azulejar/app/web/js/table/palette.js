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
      // A variable keeps its light-dark() as it is written; as a colour it is resolved.
      this.element.style.color = `var(--table-${name})`;
      this[key] = style.color;
    }
    this.element.style.color = "";
    this.font = style.fontFamily || "sans-serif";
  }
}
