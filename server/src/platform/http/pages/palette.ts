import { contrast, leastContrast, movedAway } from './color.ts';
import { BACKGROUNDS, COLORS, declare, type SchemeColor } from './look.ts';

/** WCAG 2.2, success criteria 1.4.3 and 1.4.11. */
export const TEXT_CONTRAST = 4.5;
export const EDGE_CONTRAST = 3;

/** The colors of a brand as adapted for the pages: readable in both schemes. */
export interface Palette {
  readonly solid: SchemeColor;
  readonly 'on-solid': SchemeColor;
  readonly 'solid-edge': SchemeColor;
  readonly link: SchemeColor;
  readonly focus: SchemeColor;
}

export interface BrandColors {
  readonly primary: string;
  /** The color of focus rings; default: the primary color. */
  readonly secondary?: string | undefined;
}

/**
 * Adapts a brand's colors to the pages. Buttons keep the brand color: either black or white is readable on any color.
 * A pale button gets an edge. Only edges, links and focus rings are adjusted, in lightness.
 */
export function palette({ primary, secondary = primary }: BrandColors): Palette {
  return {
    solid: { light: primary, dark: primary },
    'on-solid': both(() => textOn(primary)),
    'solid-edge': both((scheme) => away(primary, EDGE_CONTRAST, scheme)),
    link: both((scheme) => away(primary, TEXT_CONTRAST, scheme)),
    focus: both((scheme) => away(secondary, EDGE_CONTRAST, scheme)),
  };
}

/** Custom properties that replace those of the pages. */
export function declarePalette(colors: BrandColors): string {
  return declare(palette(colors));
}

const both = (of: (scheme: keyof SchemeColor) => string): SchemeColor => ({
  light: of('light'),
  dark: of('dark'),
});

/** Returns white if it is readable, as on most brand colors. */
export function textOn(fill: string): string {
  const white = '#ffffff';
  return contrast(fill, white) >= TEXT_CONTRAST ? white : '#000000';
}

function away(color: string, minContrast: number, scheme: keyof SchemeColor): string {
  const backgrounds = BACKGROUNDS.map((background) => background[scheme]);
  if (leastContrast(color, backgrounds) >= minContrast) return color;
  return movedAway(color, backgrounds, minContrast, scheme === 'light' ? 'darker' : 'lighter');
}

export const SCHEMES = ['light', 'dark'] as const;

export interface PartContrast {
  readonly part: 'button_text' | 'button_edge' | 'link' | 'focus' | 'backdrop';
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
    const backgrounds = BACKGROUNDS.map((background) => background[scheme]);
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
  const [least] = all.toSorted((left, right) => left.ratio - right.ratio);
  const { background, ratio } = least ?? { background: color, ratio: 1 };
  return { background, ratio: Math.floor(ratio * 100) / 100 };
}
