import { contrast } from './colors.ts';
import {
  type BrandColors,
  EDGE_CONTRAST,
  type Palette,
  palette,
  TEXT_CONTRAST,
} from './palette.ts';
import { BACKGROUNDS, COLORS, type SchemeColor } from './tokens.ts';

const SCHEMES = ['light', 'dark'] as const;

export interface PartContrast {
  readonly part: 'button_text' | 'button_edge' | 'link' | 'focus';
  readonly color_scheme: keyof SchemeColor;
  readonly color: string;
  /** Of several backgrounds, the one with the lowest contrast. */
  readonly background: string;
  /** WCAG 2.2: 1 to 21, with two decimals. */
  readonly ratio: number;
  readonly required: number;
  /** Whether the color differs from the configured one. */
  readonly is_moved: boolean;
}

/** Reports the contrast of the page parts drawn in a brand's colors. @param colors undefined: the service's colors */
export function contrastReport(colors: BrandColors | undefined): PartContrast[] {
  const drawn: Palette = colors ? palette(colors) : COLORS;
  const focus = colors?.secondary ?? colors?.primary;
  return SCHEMES.flatMap((scheme) => {
    const backgrounds = BACKGROUNDS.map((one) => one[scheme]);
    const seen = (
      part: PartContrast['part'],
      color: string,
      on: readonly string[],
      required: number,
      set: string | undefined,
    ): PartContrast => ({
      part,
      color_scheme: scheme,
      color,
      ...leastOn(color, on),
      required,
      is_moved: set !== undefined && set.toLowerCase() !== color.toLowerCase(),
    });
    const of = (name: keyof Palette) => drawn[name][scheme];
    return [
      seen('button_text', of('on-solid'), [of('solid')], TEXT_CONTRAST, undefined),
      seen('button_edge', of('solid-edge'), backgrounds, EDGE_CONTRAST, colors?.primary),
      seen('link', of('link'), backgrounds, TEXT_CONTRAST, colors?.primary),
      seen('focus', of('focus'), backgrounds, EDGE_CONTRAST, focus),
    ];
  });
}

/** Rounds the ratio down, so that an insufficient contrast is never reported as sufficient. */
function leastOn(color: string, backgrounds: readonly string[]) {
  const all = backgrounds.map((background) => ({ background, ratio: contrast(color, background) }));
  const [least] = all.toSorted((one, other) => one.ratio - other.ratio);
  const { background, ratio } = least ?? { background: color, ratio: 1 };
  return { background, ratio: Math.floor(ratio * 100) / 100 };
}
