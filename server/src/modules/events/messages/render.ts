import type { Html } from '../../../platform/http/pages/html.ts';
import { directionOf } from '../../../platform/texts/locales.ts';
import { layout, type MailBrand } from './layout.ts';
import type { Values } from './values.ts';

/** A subject and paragraphs, with variables. */
export interface MessageText {
  readonly subject: string;
  /** Paragraphs are separated by an empty line. One with a variable that has no value is left out. */
  readonly text: string;
}

/** A message as it is sent. */
export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** With its HTML part as a page. */
export interface RenderedPage extends Rendered {
  readonly page: Html;
}

export interface Look {
  readonly locale: string;
  readonly brand: MailBrand;
}

const VARIABLE = /\{\{([a-z_]+)\}\}/g;
/** What is copied, or opened, stands alone. */
const ALONE = ['code', 'link'];

/** Both parts say the same, below the name of the tenant. */
export function renderMessage(template: MessageText, given: Values, look: Look): RenderedPage {
  const values = inOneLine(given);
  const paragraphs = template.text
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter((one) => one !== '' && namesIn(one).every((name) => values[name] !== undefined));
  const subject = fill(template.subject, values).trim();
  const brand = { ...look.brand, name: oneLine(look.brand.name) };
  const shown = directionOf(look.locale) === 'rtl' ? isolated(values) : values;
  const text = [brand.name, ...paragraphs.map((one) => fill(one, shown))].join('\n\n');
  const page = layout({ ...look, brand, subject }, paragraphs, values);
  return { subject, text: `${text}\n`, html: page.html, page };
}

/** The variables of a text. */
function namesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
}

/** A text with the values of its variables. A value is not searched for variables. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(VARIABLE, (_all, name: string) => values[name] ?? '');
}

/** Line breaks and other control characters, among them those that reverse what surrounds them (UAX #9 §2). */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

function oneLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ').trim();
}

/** Values as part of a line: nobody who wrote one adds a line, or changes the order of what others wrote. */
export function inOneLine(values: Values): Values {
  return changed(values, (value) => oneLine(value));
}

/** Values within text from right to left: names and addresses are of any script (UAX #9 §6.1). */
function isolated(values: Values): Values {
  return changed(values, (value, name) => (ALONE.includes(name) ? value : `\u2068${value}\u2069`));
}

function changed(values: Values, change: (value: string, name: string) => string): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === undefined ? undefined : change(value, name),
    ]),
  );
}
