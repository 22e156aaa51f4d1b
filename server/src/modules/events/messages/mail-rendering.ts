import type { TenantBranding } from '@keywright/contract/records/tenant';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import { COLORS, palette } from '../../../platform/http/pages/look.ts';
import type { TextKey } from '../../../platform/texts/keys.ts';
import { directionOf, formatsOf, localeOf } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { TextsOf } from './message-texts.ts';
import type { Values, LoginsChange, MessageText } from './message.ts';

/** A message as it is sent. */
export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A message with its HTML part as a page. */
export interface RenderedPage extends Rendered {
  readonly page: Html;
}

export interface Look {
  readonly locale: string;
  readonly brand: MailBrand;
}

const VARIABLE = /\{\{([a-z_]+)\}\}/g;
/** Values that users copy or open stand alone. */
const ALONE = ['code', 'link'];

/** Renders a message. Both parts contain the same text, below the name of the tenant. */
export function renderMessage(template: MessageText, unsafe: Values, look: Look): RenderedPage {
  const values = flattened(unsafe);
  const paragraphs = template.text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter(
      (paragraph) =>
        paragraph !== '' && namesIn(paragraph).every((name) => values[name] !== undefined),
    );
  const subject = fill(template.subject, values).trim();
  const brand = { ...look.brand, name: flatten(look.brand.name) };
  const shown = directionOf(look.locale) === 'rtl' ? isolated(values) : values;
  const text = [brand.name, ...paragraphs.map((paragraph) => fill(paragraph, shown))].join('\n\n');
  const page = layout({ ...look, brand, subject }, paragraphs, values);
  return { subject, text: `${text}\n`, html: page.html, page };
}

/** The names of the variables in a text. */
function namesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
}

/** Fills in the variables of a text. A value is not searched for variables. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(VARIABLE, (_all, name: string) => values[name] ?? '');
}

/** Line breaks and other control characters, including those that reverse the text around them (UAX #9 §2). */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

function flatten(text: string): string {
  return text.replaceAll(CONTROLS, ' ').trim();
}

/** Restricts values to one line, so that the author of a value can neither add a line nor reorder other text. */
export function flattened(values: Values): Values {
  return mapValues(values, (value) => flatten(value));
}

/** Isolates values within right-to-left text, because names and addresses can be in any script (UAX #9 §6.1). */
function isolated(values: Values): Values {
  return mapValues(values, (value, name) =>
    ALONE.includes(name) ? value : `\u2068${value}\u2069`,
  );
}

function mapValues(values: Values, change: (value: string, name: string) => string): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === undefined ? undefined : change(value, name),
    ]),
  );
}

/** The look of a tenant's emails, which matches its pages. */
export interface MailBrand {
  readonly name: string;
  /** The URLs of images, for each scheme. */
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  readonly branding: TenantBranding;
}

interface Frame {
  readonly locale: string;
  readonly brand: MailBrand;
  readonly subject: string;
}

/**
 * Repeats attributes, because email clients retain those of `html` or those of the first element.
 * @param values each in one line
 */
function layout(
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
          ${paragraphs.map((paragraph) => html`<p>${linesOf(paragraph, values)}</p>`)}
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

/** The sender of the email: the logo, or the name. */
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

/** Email clients support neither custom properties nor light-dark(). */
function css(brand: MailBrand): string {
  const scheme = schemeOf(brand);
  const dark = colorsOf(brand, 'dark');
  if (scheme === 'dark') return SHAPE + dark;
  const light = SHAPE + colorsOf(brand, 'light');
  return scheme === 'light' ? light : `${light}@media(prefers-color-scheme:dark){${dark}\n}`;
}

/** The values must be validated, because they are not escaped. */
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

/** The names of values that are times, as `Date` parses them. */
const MOMENTS = ['time', 'valid_until'] as const;

/** Formats the values of a message in its language. @param locale any locale that a tenant can have texts in */
export async function inWords(values: Values, locale: string, textsOf: TextsOf): Promise<Values> {
  const language = localeOf(locale);
  const texts = language && (await textsOf(language));
  const moment = texts ? texts.moment : formatsOf(locale).moment;
  const moments = MOMENTS.flatMap((name) => {
    const at = new Date(values[name] ?? '');
    return Number.isNaN(at.getTime()) ? [] : [[name, moment(at)] as const];
  });
  return {
    ...values,
    ...Object.fromEntries(moments),
    duration: durationOf(Number(values['minutes']), locale, texts),
    device: values['device'] ?? deviceOf(values, texts),
    ...(texts && values['what'] !== undefined && changeIn(values, texts)),
  };
}

/** The sentence of each change of how users log in. */
const CHANGES = {
  provider_added: 'notice.change.provider_added',
  provider_changed: 'notice.change.provider_changed',
  provider_deleted: 'notice.change.provider_deleted',
  provider_domain_added: 'notice.change.provider_domain_added',
  provider_domain_verified: 'notice.change.provider_domain_verified',
  provider_domain_removed: 'notice.change.provider_domain_removed',
  domains: 'notice.change.domains',
  mail_server: 'notice.change.mail_server',
  mail_server_removed: 'notice.change.mail_server_removed',
  sms_provider: 'notice.change.sms_provider',
  sms_provider_removed: 'notice.change.sms_provider_removed',
} as const satisfies Record<LoginsChange['what'], TextKey>;

/** A change of how users log in, and who made it. */
function changeIn({ what, changed = '', actor }: Values, texts: Texts): Values {
  return {
    change: texts.text(CHANGES[what as LoginsChange['what']], { changed }),
    actor: actor ?? texts.text('notice.actor.system_administrator'),
  };
}

function durationOf(minutes: number, locale: string, texts: Texts | undefined): string {
  if (texts) return texts.text('mail.duration', { minutes });
  const unit = { style: 'unit', unit: 'minute', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(`${locale}-u-nu-latn`, unit).format(minutes);
}

function deviceOf({ browser, system }: Values, texts: Texts | undefined): string | undefined {
  if (browser === undefined || system === undefined) return browser ?? system;
  return texts ? texts.text('browser.on', { browser, system }) : `${browser}, ${system}`;
}
