/** What a person dropped or chose, and what it probably is. */

const PICTURE = /\.(jpe?g|png|webp|tiff?|bmp|gif|jp2|heic|heif|avif)$/i;
const OF_PHONE = /\.hei[cf]$/i; // browsers cannot open these
/** What a file dialog offers; some systems do not take these suffixes for pictures. */
export const ACCEPTED = "image/*,.tif,.tiff";
const ZIP = /\.zip$/i;
export const RECORDS = "tiles.csv";
const SAMPLES = 3;
const SQUARE = 1.1;
const ENOUGH = 6;

/** The name of the folder that a file was dropped or chosen in. */
const folders = new WeakMap();

export function folderOf(file) {
  return folders.get(file) ?? file.webkitRelativePath?.split("/").at(-2) ?? null;
}

/** All files of a drop with those in folders, and the folder's name if it was one.
 * Entries have to be asked for before the first await, or the browser forgets them. */
export async function filesOfDrop(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const loose = [...transfer.files];
  if (!entries.length) return { files: usable(loose), passed: loose.length - usable(loose).length, folder: null };
  const found = (await Promise.all(entries.map((entry) => walk(entry)))).flat();
  const folder = entries.length === 1 && entries[0].isDirectory ? entries[0].name : null;
  const files = usable(found);
  return { files, passed: found.length - files.length, folder };
}

/** The same of an <input type="file">, which may have asked for a folder. */
export function filesOfInput(input) {
  const chosen = [...input.files];
  const folder = chosen[0]?.webkitRelativePath.split("/")[0] || null;
  const files = usable(chosen);
  return { files, passed: chosen.length - files.length, folder };
}

async function walk(entry, folder = null) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    if (folder) folders.set(file, folder);
    return [file];
  }
  const reader = entry.createReader();
  const inside = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map((each) => walk(each, entry.name)))).flat();
}

/** Pictures, zip files and tiles.csv; not what systems leave in folders. */
function usable(files) {
  const seen = (name) => !name.startsWith(".") && (PICTURE.test(name) || ZIP.test(name) || name === RECORDS);
  return files.filter((file) => seen(file.name));
}

export const isPicture = (file) => PICTURE.test(file.name);

/** tiles, photographs or panel; `sure` when there is no need to ask. */
export async function guess(files) {
  const pictures = files.filter(isPicture);
  if (files.some((file) => file.name === RECORDS)) return { kind: "tiles", sure: true };
  if (!pictures.length) return { kind: "tiles", sure: false };
  if (pictures.length === 1) return { kind: "panel", sure: false };
  const step = Math.max(1, Math.floor(pictures.length / SAMPLES));
  const samples = pictures.filter((_, index) => index % step === 0).slice(0, SAMPLES);
  const square = (await Promise.all(samples.map(isSquare))).every(Boolean);
  if (!square) return { kind: "photographs", sure: false };
  return { kind: "tiles", sure: pictures.length >= ENOUGH && files.length === pictures.length };
}

async function isSquare(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return !OF_PHONE.test(file.name); // the server will judge TIFF and broken ones
  const ratio = picture.width / picture.height;
  picture.close();
  return ratio < SQUARE && ratio > 1 / SQUARE;
}

/** A name for a project of these files: the folder's, the zip's, or none. */
export function nameOf(files, folder) {
  if (folder) return folder;
  const only = files.length === 1 ? files[0].name : files.find((file) => ZIP.test(file.name))?.name;
  return only ? only.replace(/\.[^.]+$/, "") : null;
}
