import type { TenantBranding } from '@keywright/contract/records/branding';
import { contrast, leastContrast, mixed, shaded } from './color.ts';
import { COLORS, type SchemeColor } from './look.ts';
import {
  type BrandColors,
  EDGE_CONTRAST,
  palette,
  type PartContrast,
  SCHEMES,
  TEXT_CONTRAST,
  textOn,
} from './palette.ts';

/** What the area behind or next to the form shows. */
export interface BackdropSettings extends Pick<
  TenantBranding,
  'layout' | 'background' | 'background_color' | 'primary_color' | 'secondary_color'
> {
  /** The path of the image, if it is stored. */
  readonly image: string | undefined;
}

/** The color of the area if the tenant has none. */
const DEFAULT_COLOR = COLORS.solid.light;
const [WHITE, BLACK] = ['#ffffff', '#000000'];
/** The strongest shades of the gradient next to the form, as changes of the lightness. */
const LIGHTER = 0.13;
const DARKER = -0.17;
/** The parts of the gradient behind a card, in the strongest form. */
const MOST_TINT = 0.14;

/** Text on the area, and the least readable color below it. */
interface TextOnArea {
  readonly text: SchemeColor;
  readonly worst: SchemeColor;
}

interface Backdrop {
  readonly rules: string;
  /** Undefined if there is no area. */
  readonly seen: TextOnArea | undefined;
}

/** Returns the rules of the area behind or next to the form. Its text is readable on every color and image. */
export function backdropRules(settings: BackdropSettings): string {
  return backdropOf(settings).rules;
}

/** Reports the contrast of the text on the area. */
export function backdropReport(settings: BackdropSettings): PartContrast[] {
  const { seen } = backdropOf(settings);
  if (!seen) return [];
  return SCHEMES.map((scheme) => {
    const [color, background] = [seen.text[scheme], seen.worst[scheme]];
    const ratio = Math.floor(contrast(color, background) * 100) / 100;
    const part = 'backdrop' as const;
    return { part, color_scheme: scheme, color, background, ratio, required: 4.5, is_moved: false };
  });
}

export const isSplit = (layout: TenantBranding['layout']): boolean =>
  layout === 'split-start' || layout === 'split-end';

/** The kind of area: an image that is not stored is replaced by the gradient. */
export function backgroundOf({ layout, background, image }: BackdropSettings) {
  const chosen = background ?? (isSplit(layout) ? 'gradient' : 'none');
  return chosen === 'image' && image === undefined ? 'gradient' : chosen;
}

function backdropOf(settings: BackdropSettings): Backdrop {
  const kind = backgroundOf(settings);
  if (isSplit(settings.layout)) return nextToForm(settings, kind);
  if (kind === 'none') return { rules: '', seen: undefined };
  return settings.layout === 'plain' ? belowForm(settings, kind) : behindCard(settings, kind);
}

type Kind = ReturnType<typeof backgroundOf>;

const always = (color: string): SchemeColor => ({ light: color, dark: color });
const primaryOf = ({ primary_color: color = DEFAULT_COLOR }: BackdropSettings) => color;
const colorOf = (settings: BackdropSettings) => settings.background_color ?? primaryOf(settings);
const urlOf = (image: string | undefined) => `url("${image}") center/cover no-repeat`;

/** In the split layouts, a headline in the lower part. */
function nextToForm(settings: BackdropSettings, kind: Kind): Backdrop {
  if (kind === 'none') return area('var(--raised)', COLORS.ink, COLORS.raised);
  if (kind === 'image') {
    const { scrim, worst } = SCRIM;
    return area(urlOf(settings.image), always(WHITE), always(worst), `;--scrim:${scrim}`);
  }
  const color = kind === 'color' ? colorOf(settings) : primaryOf(settings);
  const text = textOn(color);
  if (kind === 'color') return area(color, always(text), always(color));
  const [light, dark] = [LIGHTER, DARKER].map((change) =>
    strongest(Math.abs(change), (amount) => {
      const shade = shaded(color, Math.sign(change) * amount);
      return contrast(shade, text) >= TEXT_CONTRAST ? shade : undefined;
    }),
  ) as [string, string];
  const worst = [light, color, dark].toSorted((a, b) => contrast(a, text) - contrast(b, text))[0];
  return area(
    `radial-gradient(120% 90% at 85% 10%,${light} 0,transparent 55%),radial-gradient(90% 80% at 10% 95%,${dark} 0,transparent 60%),${color}`,
    always(text),
    always(worst ?? color),
  );
}

function area(fill: string, text: SchemeColor, worst: SchemeColor, more = ''): Backdrop {
  const rules = `:root{--art:${fill};--on-art:${inSchemes(text)}${more}}`;
  return { rules, seen: { text, worst } };
}

const inSchemes = ({ light, dark }: SchemeColor) => `light-dark(${light},${dark})`;

/** The darkening of an image under white text, which is readable even where the image is white. */
const SCRIM = scrimOf();

function scrimOf() {
  let alpha = 0;
  while (contrast(WHITE, mixed(WHITE, BLACK, alpha)) < TEXT_CONTRAST) alpha += 0.01;
  return { scrim: `rgb(0 0 0/${alpha.toFixed(2)})`, worst: mixed(WHITE, BLACK, alpha) };
}

/** On wide screens, the links below the card, and a logo outside of it, lie on the area. */
function behindCard(settings: BackdropSettings, kind: Kind): Backdrop {
  if (kind === 'gradient') return tinted(settings, COLORS.muted);
  const outside = '.page.card>footer,.page.card>.brand';
  const wide = (rules: string) => `@media(min-width:30.01rem){${rules}}`;
  if (kind === 'color') {
    const color = colorOf(settings);
    const text = textOn(color);
    const rules = wide(`body{background:${color}}${outside}{color:${text}}`);
    return { rules, seen: { text: always(text), worst: always(color) } };
  }
  const rules = wide(
    `body{background:${urlOf(settings.image)} fixed}${outside}{padding:4px 14px;border-radius:var(--corner);background:${SCRIM.scrim};color:${WHITE}}`,
  );
  return { rules, seen: { text: always(WHITE), worst: always(SCRIM.worst) } };
}

/** A tint of the brand at the top of the page, weak enough for the text. */
function tinted(settings: BackdropSettings, text: SchemeColor): Backdrop {
  const [light, dark] = SCHEMES.map((scheme) =>
    strongest(MOST_TINT, (amount) => {
      const tint = mixed(COLORS.bg[scheme], primaryOf(settings), amount);
      return contrast(tint, text[scheme]) >= TEXT_CONTRAST ? tint : undefined;
    }),
  ) as [string, string];
  const worst = { light, dark };
  return {
    rules: `body{background:radial-gradient(60% 50% at 50% 0,${inSchemes(worst)},transparent) no-repeat,var(--bg)}`,
    seen: { text, worst },
  };
}

/** Without a card, the form itself lies on the area, which is as strong as its texts and edges allow. */
function belowForm(settings: BackdropSettings, kind: Kind): Backdrop {
  const worst = {} as Record<keyof SchemeColor, string>;
  const fills = { light: '', dark: '' };
  for (const scheme of SCHEMES) {
    const paper = COLORS.bg[scheme];
    const below = kind === 'image' ? [BLACK, WHITE] : [colorOf(settings)];
    const most = kind === 'gradient' ? MOST_TINT : 1;
    strongest(most, (amount) => {
      const shades = below.map((color) => mixed(paper, color, amount));
      if (!isReadable(settings, scheme, shades)) return undefined;
      const [first = paper] = shades.toSorted(
        (a, b) => contrast(a, COLORS.muted[scheme]) - contrast(b, COLORS.muted[scheme]),
      );
      worst[scheme] = first;
      fills[scheme] = kind === 'image' ? `${paper}${hexOpacity(1 - amount)}` : first;
      return first;
    });
  }
  const seen = { text: COLORS.muted, worst };
  const fill = inSchemes(fills);
  if (kind === 'color') return { rules: `body{background:${fill}}`, seen };
  if (kind === 'gradient') {
    const gradient = `radial-gradient(60% 50% at 50% 0,${fill},transparent) no-repeat,var(--bg)`;
    return { rules: `body{background:${gradient}}`, seen };
  }
  const wash = `linear-gradient(${fill} 0 0)`;
  return { rules: `body{background:${wash},${urlOf(settings.image)} fixed}`, seen };
}

/** Two digits, which follow those of a color. */
function hexOpacity(opacity: number): string {
  return Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0');
}

/** Whether texts, links, edges and focus rings are visible on each of these colors. */
function isReadable(
  { primary_color: primary, secondary_color: secondary }: BackdropSettings,
  scheme: keyof SchemeColor,
  shades: readonly string[],
): boolean {
  const brand: BrandColors | undefined = primary === undefined ? undefined : { primary, secondary };
  const colors = { ...COLORS, ...(brand && palette(brand)) };
  const least = (name: keyof typeof COLORS) => leastContrast(colors[name][scheme], shades);
  return (
    (['ink', 'muted', 'link'] as const).every((name) => least(name) >= TEXT_CONTRAST) &&
    (['edge', 'focus', 'solid-edge'] as const).every((name) => least(name) >= EDGE_CONTRAST)
  );
}

/** Returns the color of the largest amount that is readable; at none, it always is. */
function strongest(most: number, at: (amount: number) => string | undefined): string {
  for (let amount = most; amount > 0; amount -= 0.01) {
    const color = at(amount);
    if (color !== undefined) return color;
  }
  return at(0) ?? '';
}
