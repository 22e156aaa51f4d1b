import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

export interface Difference {
  /** The path of the picture in both folders, and of the picture of the difference. */
  readonly name: string;
  readonly what: string;
  readonly kind: 'added' | 'removed' | 'changed';
}

/** For antialiased edges, which always differ. */
const THRESHOLD = 0.1;

/** @param into the folder for a picture of each difference */
export async function compareFolders(
  former: string,
  present: string,
  into: string,
): Promise<Difference[]> {
  const now = picturesIn(present).filter((name) => !/^(against|differences)\b/.test(name));
  const names = new Set([...picturesIn(former), ...now]);
  return [...names].toSorted().flatMap((name): Difference[] => {
    if (!existsSync(join(former, name))) return [{ name, what: 'added', kind: 'added' }];
    if (!existsSync(join(present, name))) return [{ name, what: 'removed', kind: 'removed' }];
    return compare(name, former, present, into);
  });
}

function picturesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.png'));
}

function compare(name: string, former: string, present: string, into: string): Difference[] {
  const [formerFile, other] = [former, present].map((folder) =>
    readFileSync(join(folder, name)),
  ) as [Buffer, Buffer];
  if (formerFile.equals(other)) return [];
  const [before, after] = [PNG.sync.read(formerFile), PNG.sync.read(other)];
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const shown = new PNG({ width, height });
  const [a, b] = [before, after].map((png) => padded(png, width, height).data) as [Buffer, Buffer];
  const pixels = pixelmatch(a, b, shown.data, width, height, { threshold: THRESHOLD });
  if (pixels === 0) return [];
  mkdirSync(dirname(join(into, name)), { recursive: true });
  writeFileSync(join(into, name), PNG.sync.write(shown));
  const grown = after.height - before.height;
  const taller = grown === 0 ? '' : `, ${Math.abs(grown)} ${grown > 0 ? 'higher' : 'lower'}`;
  return [{ name, what: `${pixels} pixels${taller}`, kind: 'changed' }];
}

/** Copies a picture to the top left of a larger one. */
function padded(png: PNG, width: number, height: number): PNG {
  const large = new PNG({ width, height });
  PNG.bitblt(png, large, 0, 0, png.width, png.height, 0, 0);
  return large;
}
