// Node's own source maps would take 12 MB, and a tenth of a second for the first error (ADR 26).

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The source lines of a built file: the file of the same name with `.json` appended. */
interface Places {
  /** Relative to the file. */
  readonly sources: readonly string[];
  /** Two numbers for each line: the index of the source, and the line in it. -1: none. */
  readonly lines: readonly number[];
}

/**
 * Makes every stack trace of this process refer to sources instead of built files. Nothing is read before a stack is
 * needed.
 * @param folder the build
 */
export function nameSources(folder: string): void {
  const format = Error.prepareStackTrace?.bind(Error);
  if (format === undefined) return;
  const built = `${pathToFileURL(folder).href}/`;
  const placesByFile = new Map<string, Places | undefined>();
  const sourceOf = (file: string, line: number) => {
    if (!placesByFile.has(file)) placesByFile.set(file, read(file));
    const places = placesByFile.get(file);
    const source = places?.sources[places.lines[2 * line - 2] ?? -1];
    return source && `${new URL(source, file).href}:${places?.lines[2 * line - 1]}`;
  };
  Error.prepareStackTrace = (error, sites) =>
    String(format(error, sites)).replaceAll(
      /(file:[^\s()]+):(\d+):\d+/g,
      (place, file: string, line) =>
        file.startsWith(built) ? (sourceOf(file, Number(line)) ?? place) : place,
    );
}

function read(file: string): Places | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`${file}.json`), 'utf8')) as Places;
  } catch {
    // A trace with the built file is better than none.
    return undefined;
  }
}
