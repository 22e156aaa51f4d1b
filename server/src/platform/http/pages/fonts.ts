import type { PageFont } from '@keywright/contract/records/branding';
import { Image } from '../replies.ts';
import { SharedFiles } from '../shared-files.ts';

/** The folder of the fonts, the same in a clone and in a package. */
const FOLDER = new URL('../../../../fonts/', import.meta.url);

/** A font file, and the metrics that make the font of the device as wide and as high. */
interface FontFile {
  readonly family: string;
  /** In the folder of the fonts. */
  readonly file: string;
  readonly weights: string;
  /** The fonts of devices that are adapted: their names, each also with a bold face. */
  readonly fallback: readonly string[];
  /** Percentages: the width of a sample of the pages' texts, and the ascent and descent at that width. */
  readonly size: number;
  readonly ascent: number;
  readonly descent: number;
}

const SANS = ['Arial', 'Liberation Sans'];
const SERIF = ['Times New Roman', 'Liberation Serif'];

/** The fonts that the service serves. */
export const FONTS: Readonly<Record<Exclude<PageFont, 'system'>, FontFile>> = {
  geist: {
    family: 'Geist',
    file: 'geist-19f9c92546.woff2',
    weights: '100 900',
    fallback: SANS,
    size: 103.36,
    ascent: 97.23,
    descent: 28.54,
  },
  inter: {
    family: 'Inter',
    file: 'inter-3100e775e8.woff2',
    weights: '100 900',
    fallback: SANS,
    size: 105.93,
    ascent: 91.45,
    descent: 22.77,
  },
  'instrument-sans': {
    family: 'Instrument Sans',
    file: 'instrument-sans-2ee17598a9.woff2',
    weights: '400 700',
    fallback: SANS,
    size: 101.29,
    ascent: 95.77,
    descent: 24.68,
  },
  'dm-sans': {
    family: 'DM Sans',
    file: 'dm-sans-9fea608a94.woff2',
    weights: '100 1000',
    fallback: SANS,
    size: 103.13,
    ascent: 96.19,
    descent: 30.06,
  },
  figtree: {
    family: 'Figtree',
    file: 'figtree-4ba7d3d096.woff2',
    weights: '300 900',
    fallback: SANS,
    size: 98.57,
    ascent: 96.38,
    descent: 25.36,
  },
  manrope: {
    family: 'Manrope',
    file: 'manrope-a30ddcd349.woff2',
    weights: '200 800',
    fallback: SANS,
    size: 97.97,
    ascent: 108.81,
    descent: 30.62,
  },
  'source-serif': {
    family: 'Source Serif',
    file: 'source-serif-382475f382.woff2',
    weights: '200 900',
    fallback: SERIF,
    size: 116.77,
    ascent: 88.72,
    descent: 28.69,
  },
  lora: {
    family: 'Lora',
    file: 'lora-ddb8c66035.woff2',
    weights: '400 700',
    fallback: SERIF,
    size: 114.91,
    ascent: 87.54,
    descent: 23.84,
  },
};

const SYSTEM = 'system-ui,sans-serif';

/** The value of `font-family` for a font. */
export function familyOf(font: PageFont): string {
  if (font === 'system') return SYSTEM;
  const { family } = FONTS[font];
  return `${family},${family} Fallback,${SYSTEM}`;
}

/**
 * The rules of a font. `optional`: a page never changes its font once it is shown, so the first page of a browser is in
 * the font of the device if the file does not arrive within a moment.
 * @param folder the path of the style sheet's folder, with a slash at the end
 */
export function fontRulesOf(font: PageFont, folder: string): string {
  if (font === 'system') return '';
  const { family, file, weights, fallback, size, ascent, descent } = FONTS[font];
  const locals = (face: string) => fallback.map((name) => `local("${name}${face}")`).join();
  const metrics = `size-adjust:${size}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%`;
  return `@font-face{font-family:"${family}";src:url("${folder}fonts/${file}") format("woff2");font-weight:${weights};font-display:optional}
@font-face{font-family:"${family} Fallback";src:${locals('')};${metrics}}
@font-face{font-family:"${family} Fallback";src:${locals(' Bold')};font-weight:550 900;${metrics}}`;
}

const NAMES = new Set(Object.values(FONTS).map(({ file }) => file));
const files = new SharedFiles(FOLDER);

/** Returns a font of the pages; undefined if it has no such file. */
export async function readFont(name: string): Promise<Image | undefined> {
  return NAMES.has(name) ? new Image('font/woff2', (await files.read(name)).bytes) : undefined;
}
