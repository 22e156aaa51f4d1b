/** Icons as images of the style sheet, so that pages do not repeat them. Lines are of Lucide (ISC), marks of Simple Icons (CC0). */
const LINES = {
  passkey: `<path d='M12 10a2 2 0 0 0-2 2c0 1.02-.1 2.51-.26 4M14 13.12c0 2.38 0 6.38-1 8.88M17.29 21.02c.12-.6.43-2.3.5-3.02M2 12a10 10 0 0 1 18-6M2 16h.01M21.8 16c.2-2 .131-5.354 0-6M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .34-2M8.65 22c.21-.66.45-1.32.57-2M9 6.8a6 6 0 0 1 9 5.2v2'/>`,
  code: `<path d='m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7'/><rect x='2' y='4' width='20' height='16' rx='2'/>`,
  language: `<circle cx='12' cy='12' r='10'/><path d='M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20'/><path d='M2 12h20'/>`,
  eye: `<path d='M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0'/><circle cx='12' cy='12' r='3'/>`,
} as const;

/** The mark of a provider without a mark of its own. */
const PROVIDER_LINES = {
  company: `<path d='M10 12h4'/><path d='M10 8h4'/><path d='M14 21v-3a2 2 0 0 0-4 0v3'/><path d='M6 10H4a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-2'/><path d='M6 21V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v16'/>`,
} as const;

/** Marks in the color of the text. */
const MARKS = {
  apple:
    'M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701',
  github:
    'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
} as const;

/** Marks that must keep their colors. */
const COLORED = {
  google: `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 48 48'><path fill='#ea4335' d='M24 9.5c3.5 0 6.7 1.2 9.2 3.6l6.9-6.9A24 24 0 0 0 2.6 13.2l8 6.2C12.4 13.7 17.7 9.5 24 9.5z'/><path fill='#4285f4' d='M47 24.6c0-1.6-.2-3.1-.4-4.6H24v9h12.9a11 11 0 0 1-4.8 7.2l7.7 6C44.3 38 47 31.9 47 24.6z'/><path fill='#fbbc05' d='M10.5 28.6a14.5 14.5 0 0 1 0-9.2l-8-6.2a24 24 0 0 0 0 21.6z'/><path fill='#34a853' d='M24 48c6.5 0 11.9-2.1 15.9-5.8l-7.7-6c-2.2 1.5-5 2.3-8.2 2.3-6.3 0-11.6-4.2-13.5-9.9l-8 6.2C6.5 42.6 14.6 48 24 48z'/></svg>`,
  microsoft: `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 23 23'><path fill='#f25022' d='M0 0h11v11H0z'/><path fill='#7fba00' d='M12 0h11v11H12z'/><path fill='#00a4ef' d='M0 12h11v11H0z'/><path fill='#ffb900' d='M12 12h11v11H12z'/></svg>`,
} as const;

export type IconName =
  | keyof typeof LINES
  | keyof typeof PROVIDER_LINES
  | keyof typeof MARKS
  | keyof typeof COLORED;

const drawLines = (body: string) =>
  `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#000' stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'>${body}</svg>`;
const MARK_SHAPES = mapped(
  MARKS,
  (path) => `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='${path}'/></svg>`,
);

function mapped(shapes: Readonly<Record<string, string>>, draw: (shape: string) => string) {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, draw(shape)]));
}

function rulesOf(shapes: Readonly<Record<string, string>>): string {
  const urlOf = (svg: string) => `url("data:image/svg+xml,${svg.replaceAll('#', '%23')}")`;
  const rules = Object.entries(shapes).map(([name, svg]) => `.${name}{--i:${urlOf(svg)}}`);
  return rules.join('\n');
}

/** An icon is a mask, filled with the color of its text. */
export const ICON_RULES = `
.icon::before{content:"";flex:none;display:inline-block;width:18px;height:18px;margin-inline-end:10px;vertical-align:-4px;background:currentColor;mask:var(--i) center/contain no-repeat;forced-color-adjust:none}
${rulesOf(mapped(LINES, drawLines))}
.eye::before{margin:0}
@media(forced-colors:active){.icon::before{background-color:CanvasText}}
`;

const colored = Object.keys(COLORED).map((name) => `.icon.${name}::before`);

/** The buttons of providers, and their marks. */
export const MARK_RULES = `
.idp{margin-top:1.5rem}.idp form{margin:0}.idp form+form,.idp details{margin-top:10px}.idp button{margin:0}.or+.idp{margin-top:20px}
.icons b{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.icons{display:flex;flex-wrap:wrap;gap:10px}.icons form{flex:1 1 auto}.icons form,.icons form+form{margin:0}.icons details{flex-basis:100%;margin:0}.icons .icon:has(b)::before{margin:0}
${rulesOf({ ...mapped(PROVIDER_LINES, drawLines), ...MARK_SHAPES, ...COLORED })}
${colored.join()}{background:var(--i) center/contain no-repeat;mask:none}
`;
