import { type Html, html, style } from '../../../platform/http/pages/html.ts';

/** A subject and paragraphs, with variables. */
export interface MessageText {
  readonly subject: string;
  /** Paragraphs are separated by an empty line. One with a variable that has no value is left out. */
  readonly text: string;
}

export type Values = Readonly<Record<string, string | undefined>>;

/** A message as it is sent. */
export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Look {
  readonly locale: string;
  readonly color: string | undefined;
}

const VARIABLE = /\{\{([a-z_]+)\}\}/g;

export function renderMessage(template: MessageText, values: Values, look: Look): Rendered {
  const paragraphs = template.text
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter((one) => one !== '' && namesIn(one).every((name) => values[name] !== undefined));
  return {
    subject: oneLine(fill(template.subject, values)),
    text: `${paragraphs.map((one) => fill(one, values)).join('\n\n')}\n`,
    html: layout(paragraphs, values, look).html,
  };
}

/** The variables of a text. */
function namesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
}

/** A text with the values of its variables, each in one line. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(VARIABLE, (_all, name: string) => plain(values[name]));
}

/** Without control characters, among them line breaks: a value is part of a line. */
function plain(value: string | undefined): string {
  return (value ?? '').replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function oneLine(text: string): string {
  return plain(text).trim();
}

const RTL = /^(ar|fa|he|ur)\b/;
const DEFAULT_COLOR = '#1d4ed8';

function layout(paragraphs: readonly string[], values: Values, { locale, color }: Look): Html {
  const direction = RTL.test(locale) ? 'rtl' : 'ltr';
  return html`<!doctype html>
    <html lang="${locale}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        ${style(css(color ?? DEFAULT_COLOR))}
      </head>
      <body>
        ${paragraphs.map((one) => html`<p>${linesOf(one, values)}</p>`)}
      </body>
    </html>`;
}

/** @param color of the tenant: `#rrggbb`, as its schema demands */
function css(color: string): string {
  return `body{font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#111827;max-width:34em;margin:2em auto;padding:0 1em}
.code{font-size:1.75em;font-weight:700;letter-spacing:.15em;direction:ltr;unicode-bidi:embed}
a{color:${color};overflow-wrap:anywhere}`;
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
    const value = plain(values[name]);
    if (name === 'code') return html`<span class="code">${value}</span>`;
    return name === 'link' ? html`<a href="${value}">${value}</a>` : html`${value}`;
  });
}
