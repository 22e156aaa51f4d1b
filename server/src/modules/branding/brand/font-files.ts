import { FONTS } from '../../../platform/http/pages/fonts.ts';
import { Image } from '../../../platform/http/replies.ts';
import { SharedFiles } from '../../../platform/http/shared-files.ts';

/** The folder of the fonts, the same in a clone and in a package. */
const FOLDER = new URL('../../../../fonts/', import.meta.url);

const NAMES = new Set(Object.values(FONTS).map(({ file }) => file));
const files = new SharedFiles(FOLDER);

/** Returns a font of the pages; undefined if it has no such file. */
export async function readFont(name: string): Promise<Image | undefined> {
  return NAMES.has(name) ? new Image('font/woff2', (await files.read(name)).bytes) : undefined;
}
