import { contrast, leastContrast, movedAway } from './colors.ts';
import { BACKGROUNDS, declare, type SchemeColor } from './tokens.ts';

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
function textOn(fill: string): string {
  const white = '#ffffff';
  return contrast(fill, white) >= TEXT_CONTRAST ? white : '#000000';
}

function away(color: string, wanted: number, scheme: keyof SchemeColor): string {
  const backgrounds = BACKGROUNDS.map((one) => one[scheme]);
  if (leastContrast(color, backgrounds) >= wanted) return color;
  return movedAway(color, backgrounds, wanted, scheme === 'light' ? 'darker' : 'lighter');
}
