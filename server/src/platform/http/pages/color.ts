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
export function leastContrast(color: string, others: readonly string[]): number {
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
export function movedAway(
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

/** Returns a mixture of two colors in sRGB, as if the second lay on the first with this opacity. */
export function mixed(below: string, above: string, opacity: number): string {
  const [from, to] = [rgbOf(below), rgbOf(above)];
  const part = (at: 0 | 1 | 2) => from[at] + (to[at] - from[at]) * opacity;
  return hexOf([part(0), part(1), part(2)]);
}

/** Returns a lighter or darker shade of the same hue. @param change of the lightness, which is 0 to 1 */
export function shaded(hex: string, change: number): string {
  const color = oklchOf(hex);
  return within({ ...color, lightness: Math.min(1, Math.max(0, color.lightness + change)) });
}
