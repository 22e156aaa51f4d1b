/** A color in the light and in the dark scheme, as `#rrggbb`. */
export interface SchemeColor {
  readonly light: string;
  readonly dark: string;
}

const color = (light: string, dark: string): SchemeColor => ({ light, dark });

/** The colors of all pages. `edge` outlines controls, `line` decorates, and `solid` fills the main button. */
export const COLORS = {
  bg: color('#faf9f6', '#131518'),
  surface: color('#ffffff', '#1a1d21'),
  raised: color('#f3f1eb', '#23272d'),
  ink: color('#191c21', '#edebe5'),
  muted: color('#5a5f69', '#a5a9b1'),
  line: color('#e2dfd6', '#30353c'),
  edge: color('#8a8679', '#767c86'),
  solid: color('#1f242c', '#eae6db'),
  'solid-edge': color('#1f242c', '#eae6db'),
  'on-solid': color('#ffffff', '#16181c'),
  link: color('#191c21', '#edebe5'),
  focus: color('#7a5a14', '#e2bd63'),
  ok: color('#1c6641', '#7fd0a2'),
  'ok-tint': color('#e6f2ea', '#16281e'),
  bad: color('#a8231c', '#ff9b91'),
  'bad-tint': color('#fcebe9', '#331a18'),
} as const satisfies Readonly<Record<string, SchemeColor>>;

/** The backgrounds of text and controls. */
export const BACKGROUNDS = [COLORS.bg, COLORS.surface, COLORS.raised] as const;

/** Radius of controls; cards have twice as much. */
const CORNER_PX = 6;

/** Returns custom properties, each with its value in both schemes. */
export function declare(colors: Readonly<Partial<Record<keyof typeof COLORS, SchemeColor>>>) {
  return Object.entries(colors)
    .map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`)
    .join(';');
}

/** The start of every page's style. */
export const ROOT = `:root{color-scheme:light dark;${declare(COLORS)};--corner:${CORNER_PX}px}`;
