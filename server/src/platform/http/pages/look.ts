import { Asset } from './asset.ts';
import { style } from './html.ts';

/** A color in the light and in the dark scheme, as `#rrggbb`. */
export interface SchemeColor {
  readonly light: string;
  readonly dark: string;
}

const schemeColor = (light: string, dark: string): SchemeColor => ({ light, dark });

/** The colors of all pages. `edge` outlines controls, `line` decorates, and `solid` fills the main button. */
export const COLORS = {
  bg: schemeColor('#fbfaf8', '#0e1012'),
  surface: schemeColor('#ffffff', '#15181b'),
  raised: schemeColor('#f6f5f2', '#1c2024'),
  ink: schemeColor('#1b1c1f', '#ecebe8'),
  muted: schemeColor('#54575e', '#a8adb5'),
  line: schemeColor('#eae7e1', '#24292e'),
  edge: schemeColor('#8c887e', '#6f767f'),
  solid: schemeColor('#1e2126', '#ecebe8'),
  'solid-edge': schemeColor('#1e2126', '#ecebe8'),
  'on-solid': schemeColor('#ffffff', '#131518'),
  link: schemeColor('#1b1c1f', '#ecebe8'),
  focus: schemeColor('#9c7120', '#c79a3f'),
  ok: schemeColor('#17683f', '#7fd3a4'),
  'ok-tint': schemeColor('#e7f4ec', '#12261b'),
  bad: schemeColor('#ad241b', '#ff9d93'),
  'bad-tint': schemeColor('#fdecea', '#331917'),
} as const satisfies Readonly<Record<string, SchemeColor>>;

/** The backgrounds of text and controls. */
export const BACKGROUNDS = [COLORS.bg, COLORS.surface, COLORS.raised] as const;

/** Radius of controls; cards have twice as much. */
const CORNER_PX = 6;

/** Returns custom properties, each with its value in both schemes. */
function declare(colors: Readonly<Partial<Record<keyof typeof COLORS, SchemeColor>>>) {
  return Object.entries(colors)
    .map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`)
    .join(';');
}

/** The start of every page's style. */
const ROOT = `:root{color-scheme:light dark;${declare(COLORS)};--corner:${CORNER_PX}px}`;

/**
 * The style of every page, including error pages: ink on paper, in both color schemes. It uses only logical
 * properties, because pages can also be read from right to left.
 */
const RULES = `
${ROOT}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:max(2rem,8vh) 1rem 2rem;background:var(--bg);color:var(--ink);font:16px/24px system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:26rem;margin:0 auto;padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:calc(2*var(--corner))}
h1{margin:0 0 .25rem;font-size:25px;line-height:31px;font-weight:600;letter-spacing:-.015em}
h2{margin:1.5rem 0 .5rem;font-size:16px;font-weight:600}
h1,h2{text-wrap:balance;word-break:auto-phrase}
p{margin:.5rem 0}a{padding-block:5px;color:var(--link)}.lead,.hint{color:var(--muted)}.hint{font-size:14px;line-height:20px}
form{margin:1.25rem 0 0}form+form,.second+form{margin-top:.75rem}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input:not([type=hidden]){width:100%;height:46px;padding:0 .75rem;background:var(--bg);color:inherit;border:1px solid var(--edge);border-radius:var(--corner);font:inherit}
button{width:100%;min-height:46px;margin-top:1.25rem;padding:.5rem 1rem;border:1px solid var(--solid-edge);border-radius:var(--corner);background:var(--solid);color:var(--on-solid);font:inherit;font-weight:600;cursor:pointer}
button small{display:block;font-weight:400}
a.button{display:block;margin-top:1.25rem;padding:10px 1rem;border:1px solid var(--solid-edge);border-radius:var(--corner);background:var(--solid);color:var(--on-solid);font-weight:600;text-align:center;text-decoration:none}.keep{display:flex;flex-wrap:wrap;gap:0 1.25rem}.keep .link{margin:5px 0}.keep [hidden]{display:none}
button.second{margin-top:.75rem;background:transparent;color:var(--ink);border-color:var(--edge)}
button.link{display:block;width:auto;min-width:24px;min-height:24px;margin-top:0;padding:0;border:0;background:none;color:var(--link);text-align:start;text-decoration:underline;font-weight:400}.link+.link{margin-top:.75rem}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
[role=alert],.warn{margin:1rem 0 0;padding:.75rem;border-radius:var(--corner);background:var(--bad-tint);color:var(--bad)}
details{margin-top:1.25rem}summary{min-height:24px;cursor:pointer}
ul{margin:.5rem 0;padding-inline-start:1.25rem}dl{margin:.5rem 0;padding-inline-start:.75rem;border-inline-start:3px solid var(--edge)}dt{color:var(--muted);font-size:14px}dd{margin:0;font-weight:600}dd bdi{white-space:pre-wrap}dd+dt{margin-top:.5rem}code{font:15px/22px ui-monospace,monospace}
.codes{list-style:none;padding:0}.qr{display:block;width:min(100%,14rem)}.who{font-weight:600}.host{margin:0;font-size:20px;line-height:28px;font-weight:600}
footer a{display:inline-block;color:inherit;margin-inline-end:1rem}footer form{margin:0}footer button.link{margin:.25rem 0;margin-inline-end:1rem;color:inherit}
.brand{margin:0 0 1rem;font-weight:600}.brand img{height:40px;max-width:100%;object-fit:contain;object-position:0}[dir=rtl] .brand img{object-position:100%}
footer{max-width:26rem;margin:1rem auto 0;padding-inline:2rem;color:var(--muted);font-size:14px}
@media(max-width:30rem){body{padding-top:1rem}main{padding:1.25rem}footer{padding-inline:1.25rem}}
@media(forced-colors:active){button{border:1px solid}}
`;

/** Within a page. */
export const LOOK = style(RULES);

/** The style as a file, which a browser loads once for all pages. */
export const LOOK_FILE = new Asset(RULES);

/** The style of pages whose form is at one side of a wide screen. */
export const SIDE_RULES = `@media(min-width:60rem){.side{padding:0 0 2rem;background:var(--raised)}.side main,.side footer{margin-inline:0;width:32rem;max-width:none}
.side main{min-height:calc(100vh - 5rem);padding:max(2rem,12vh) 4rem 2rem;border-width:0 0 1px;border-inline-end-width:1px;border-radius:0}}`;

/** WCAG 2.2, success criteria 1.4.3 and 1.4.11. */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

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

function away(color: string, minContrast: number, scheme: keyof SchemeColor): string {
  const backgrounds = BACKGROUNDS.map((background) => background[scheme]);
  if (leastContrast(color, backgrounds) >= minContrast) return color;
  return movedAway(color, backgrounds, minContrast, scheme === 'light' ? 'darker' : 'lighter');
}

// WCAG 2.2 contrast, and OKLCH lightness (CSS Color 4 §9.3), which can be changed without changing the hue.

/** sRGB, each component 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];

interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** @param hex `#rrggbb` */
function rgbOf(hex: string): Rgb {
  const at = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

function hexOf(rgb: Rgb): string {
  const part = (value: number) =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${rgb.map(part).join('')}`;
}

/** IEC 61966-2-1. */
const toLinear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const fromLinear = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

function luminanceOf(hex: string): number {
  const [red, green, blue] = rgbOf(hex);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrast(left: string, right: string): number {
  const [a, b] = [luminanceOf(left), luminanceOf(right)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The least contrast of a color with any of these. */
function leastContrast(color: string, others: readonly string[]): number {
  return Math.min(...others.map((other) => contrast(color, other)));
}

function oklchOf(hex: string): Oklch {
  const rgb = rgbOf(hex);
  const [red, green, blue] = [toLinear(rgb[0]), toLinear(rgb[1]), toLinear(rgb[2])];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

function rgbOfOklch({ lightness, chroma, hue }: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const isInGamut = (rgb: Rgb) => rgb.every((value) => value >= -0.0005 && value <= 1.0005);

/**
 * Returns the color of this lightness and hue with the highest chroma that a screen can show, up to the given chroma.
 */
function within(color: Oklch): string {
  let [low, high] = [0, color.chroma];
  if (isInGamut(rgbOfOklch(color))) return hexOf(rgbOfOklch(color));
  while (high - low > 0.001) {
    const chroma = (low + high) / 2;
    if (isInGamut(rgbOfOklch({ ...color, chroma }))) low = chroma;
    else high = chroma;
  }
  return hexOf(rgbOfOklch({ ...color, chroma: low }));
}

const STEP = 0.01;

/** Returns the nearest color of the same hue with at least this contrast to each background. */
function movedAway(
  hex: string,
  backgrounds: readonly string[],
  minContrast: number,
  direction: 'darker' | 'lighter',
): string {
  const start = oklchOf(hex);
  const sign = direction === 'darker' ? -1 : 1;
  for (let moved = hex, steps = 0; ; steps += 1) {
    const lightness = start.lightness + sign * STEP * steps;
    if (steps > 0) moved = within({ ...start, lightness: Math.min(1, Math.max(0, lightness)) });
    const isAtEnd = direction === 'darker' ? lightness <= 0 : lightness >= 1;
    if (isAtEnd || leastContrast(moved, backgrounds) >= minContrast) return moved;
  }
}

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
