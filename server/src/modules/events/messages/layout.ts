import type { TenantBranding } from '@keywright/contract/records/tenant';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import { palette } from '../../../platform/http/pages/palette.ts';
import { COLORS } from '../../../platform/http/pages/tokens.ts';
import { directionOf } from '../../../platform/texts/locales.ts';
import type { Values } from './values.ts';

/** What mails of a tenant look like: as its pages do. */
export interface MailBrand {
  readonly name: string;
  /** Addresses of images, for each scheme. */
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  readonly branding: TenantBranding;
}

interface Frame {
  readonly locale: string;
  readonly brand: MailBrand;
  readonly subject: string;
}

/** Mail programs keep the attributes of `html` or those of the first element. @param values each in one line */
export function layout(
  { locale, brand, subject }: Frame,
  paragraphs: readonly string[],
  values: Values,
): Html {
  const direction = directionOf(locale);
  return html`<!doctype html>
    <html lang="${locale}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="${metaOf(brand)}" />
        <title>${subject}</title>
        ${style(css(brand))}
      </head>
      <body>
        <div class="mail" lang="${locale}" dir="${direction}">
          <p class="brand">${signOf(brand)}</p>
          ${paragraphs.map((one) => html`<p>${linesOf(one, values)}</p>`)}
        </div>
      </body>
    </html>`;
}

function schemeOf({ branding }: MailBrand) {
  return branding.color_scheme ?? 'auto';
}

function metaOf(brand: MailBrand): string {
  const scheme = schemeOf(brand);
  return scheme === 'auto' ? 'light dark' : scheme;
}

/** Whose mail it is: their logo, or their name. */
function signOf({ name, logo }: MailBrand): Html {
  if (!logo) return html`<bdi>${name}</bdi>`;
  const image = html`<img src="${logo.light}" alt="${name}" height="40" />`;
  if (logo.dark === logo.light) return image;
  return html`<picture
    ><source srcset="${logo.dark}" media="(prefers-color-scheme: dark)" />
    ${image}</picture
  >`;
}

const SHAPE = `body{margin:0;padding:24px 16px;font:16px/24px system-ui,sans-serif}
.mail{max-width:34em;margin:0 auto;padding:24px;border:1px solid;border-top:4px solid;border-radius:12px;overflow-wrap:anywhere}
.brand{font-weight:600}.brand img{height:40px;max-width:100%}
.code{font-size:28px;line-height:36px;font-weight:700;letter-spacing:.15em}`;

/** Mail programs know neither custom properties nor light-dark(). */
function css(brand: MailBrand): string {
  const scheme = schemeOf(brand);
  const dark = colorsOf(brand, 'dark');
  if (scheme === 'dark') return SHAPE + dark;
  const light = SHAPE + colorsOf(brand, 'light');
  return scheme === 'light' ? light : `${light}@media(prefers-color-scheme:dark){${dark}\n}`;
}

/** Validated values only: they are not escaped. */
function colorsOf({ branding }: MailBrand, scheme: 'light' | 'dark'): string {
  const { primary_color: primary } = branding;
  const { solid, link } = primary === undefined ? COLORS : palette({ primary });
  const { bg, surface, line, ink } = COLORS;
  return `body{background:${bg[scheme]};color:${ink[scheme]}}
.mail{background:${surface[scheme]};border-color:${line[scheme]};border-top-color:${solid[scheme]}}
a{color:${link[scheme]}}`;
}

function linesOf(paragraph: string, values: Values): Html[] {
  return paragraph
    .split('\n')
    .map((line, index) => html`${index > 0 ? html`<br />` : undefined}${partsOf(line, values)}`);
}

function partsOf(line: string, values: Values): Html[] {
  return line.split(/(\{\{[a-z_]+\}\})/).map((part) => {
    const name = /^\{\{([a-z_]+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return html`${part}`;
    const value = values[name] ?? '';
    if (name === 'code') return html`<bdi class="code" dir="ltr">${value}</bdi>`;
    return name === 'link'
      ? html`<a href="${value}" dir="ltr">${value}</a>`
      : html`<bdi>${value}</bdi>`;
  });
}
