import { Asset } from './asset.ts';
import { fontRulesOf, familyOf } from './fonts.ts';
import { style } from './html.ts';
import { ICON_RULES, MARK_RULES } from './icons.ts';
import { LAYOUT_RULES, SPLIT_RULES } from './layouts.ts';

/** A color in the light and in the dark scheme, as `#rrggbb`. */
export interface SchemeColor {
  readonly light: string;
  readonly dark: string;
}

const schemeColor = (light: string, dark: string): SchemeColor => ({ light, dark });

/** The colors of all pages. `edge` outlines controls, `line` decorates, `line-2` outlines what its text identifies, and `solid` fills the main button. */
export const COLORS = {
  bg: schemeColor('#fbfaf8', '#0e1012'),
  surface: schemeColor('#ffffff', '#15181b'),
  raised: schemeColor('#f6f5f2', '#1c2024'),
  ink: schemeColor('#1b1c1f', '#ecebe8'),
  muted: schemeColor('#54575e', '#a8adb5'),
  line: schemeColor('#eae7e1', '#24292e'),
  'line-2': schemeColor('#dcd8d0', '#333a41'),
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

/** Radius of controls; cards have more. */
const CORNER_PX = 10;

/** Returns custom properties, each with its value in both schemes. */
export function declare(colors: Readonly<Partial<Record<keyof typeof COLORS, SchemeColor>>>) {
  return Object.entries(colors)
    .map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`)
    .join(';');
}

/** The start of every page's style. */
const ROOT = `:root{color-scheme:light dark;${declare(COLORS)};--corner:${CORNER_PX}px;--font:${familyOf('geist')}}`;

/**
 * The style of every page, including error pages: ink on paper, in both color schemes. It uses only logical
 * properties, because pages can also be read from right to left.
 */
const RULES = `
${ROOT}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:max(2rem,8vh) 1rem 2rem;background:var(--bg);color:var(--ink);font:16px/24px var(--font);-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
main{width:100%;max-width:28rem;margin:0 auto;padding:2.5rem;background:var(--surface);border:1px solid var(--line);border-radius:calc(1.6*var(--corner));box-shadow:0 1px 2px rgb(27 28 31/5%),0 20px 50px -20px rgb(27 28 31/18%)}
h1{margin:0 0 6px;font-size:26px;line-height:32px;font-weight:600;letter-spacing:-.022em}
h2{margin:1.5rem 0 .5rem;font-size:16px;font-weight:600}
h1,h2{text-wrap:balance;word-break:auto-phrase}
p{margin:.5rem 0}a{padding-block:3px;color:var(--link);text-underline-offset:3px}b{font-weight:600}.lead,.hint{color:var(--muted)}.lead{margin:0}.lead b{color:var(--ink)}.hint{font-size:14px;line-height:20px}
form{margin:1.5rem 0 0}form+form{margin-top:10px}
label{display:block;margin:14px 0 6px;font-size:14px;line-height:20px;font-weight:550}form>label:first-of-type,form>.field:first-of-type{margin-top:0}
input:not([type=hidden]){width:100%;height:46px;padding:0 14px;background:var(--surface);color:inherit;border:1px solid var(--edge);border-radius:var(--corner);font:inherit}
button,.button{display:block;width:100%;min-height:46px;margin-top:20px;padding:10px 1rem;border:1px solid var(--solid-edge);border-radius:var(--corner);background:var(--solid);color:var(--on-solid);font:inherit;font-size:15px;font-weight:550;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
[hidden]{display:none!important}
.second{margin-top:10px;box-shadow:0 1px 2px rgb(27 28 31/8%);background:var(--surface);color:var(--ink);border-color:var(--line-2)}
.quiet{margin-top:8px;background:none;color:var(--ink);border-color:transparent}
.second:hover,.quiet:hover{background:var(--raised)}
.link,footer button{display:inline-block;width:auto;min-width:24px;min-height:24px;margin-top:0;padding:0;border:0;background:none;color:var(--link);font-size:inherit;font-weight:inherit;text-align:start;text-decoration:underline;text-underline-offset:3px}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}input:focus-visible{outline-offset:0}
[role=alert],.warn{margin:1rem 0 0;padding:.75rem;border-radius:var(--corner);background:var(--bad-tint);color:var(--bad);font-size:15px}
details{margin-top:1.25rem}summary{display:block;text-align:center;min-height:24px;cursor:pointer}summary::-webkit-details-marker{display:none}summary:not(.icon)::after{content:"";display:inline-block;padding:3px;margin:0 10px 3px;border:solid;border-width:0 1.5px 1.5px 0;rotate:45deg}[open]>::after{rotate:225deg}
ul{margin:.5rem 0;padding-inline-start:1.25rem}.who{font-weight:600}
footer a{min-width:24px;padding-block:5px;color:inherit}footer form{margin:0}footer button{margin:.25rem 0;color:inherit}footer details{margin:0;margin-inline-start:auto}footer .icon::before{width:15px;height:15px;margin-inline-end:6px}
.brand{display:flex;align-items:center;gap:10px;margin:0 0 1.5rem;font-weight:600}.brand img,.brand svg{flex:none;height:var(--logo,40px);max-width:100%;object-fit:contain;object-position:0}[dir=rtl] .brand img{object-position:100%}
footer{display:flex;flex-wrap:wrap;align-items:center;gap:0 18px;width:100%;max-width:28rem;margin:1rem auto 0;padding-inline:.5rem;color:var(--muted);font-size:13px;line-height:20px}
@media(max-width:30rem){body{padding-top:1rem}main{padding:1.5rem}}
`;

/** Details, codes and hosts, which the first page of a login does not have. */
export const LIST_RULES = `
dl{margin:.5rem 0;padding-inline-start:.75rem;border-inline-start:3px solid var(--edge)}dt{color:var(--muted);font-size:14px}dd{margin:0;font-weight:600}dd bdi{white-space:pre-wrap}dd+dt{margin-top:.5rem}code{font:15px/22px ui-monospace,monospace}
.codes{list-style:none;padding:0}.keep{display:flex;flex-wrap:wrap;gap:10px}.keep *{flex:auto;width:auto;margin:0}.qr{display:block;width:min(100%,14rem)}.host{margin:0;font-size:20px;line-height:28px;font-weight:600}
`;

/** Within a page of no tenant, which is in the font of the device. */
export const LOOK = style(RULES + LIST_RULES);

/** The style as a file, which a browser loads once for all pages. */
export const LOOK_FILE = new Asset(
  `${RULES}${LAYOUT_RULES}${ICON_RULES}${fontRulesOf('geist', '')}`,
);

/** Details, codes and hosts, for pages that have any. */
export const LIST_FILE = new Asset(LIST_RULES);

/** The buttons of providers, for pages that have any. */
export const MARKS_FILE = new Asset(MARK_RULES);

/** The half next to the form, for pages that have one. */
export const SPLIT_FILE = new Asset(SPLIT_RULES);
