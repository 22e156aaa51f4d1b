import type { TextLocale as Locale } from '@keywright/contract/locale';
import { Html, html } from '../http/pages/html.ts';
import { type Formats, formatsOf } from './formats.ts';
import type { Catalog, TextKey } from './keys.ts';
import { isFixed } from './fixed.ts';
import { directionOf } from './locales.ts';
import { fillMessage, type Message, parseMessage, type Target } from './message.ts';
import type { Link, Texts, TextValue } from './texts.ts';
import { judgeText } from './usable.ts';

type MessageOf = (key: TextKey) => Message;

/** Creates the texts of a language. Messages are parsed when they are first shown. */
export function createTexts(locale: Locale, catalogue: Catalog): Texts {
  return textsOf(
    locale,
    formatsOf(locale),
    remembered((key) => parseMessage(catalogue[key])),
  );
}

function textsOf(locale: Locale, formats: Formats, messageOf: MessageOf): Texts {
  const plain = plainTarget(formats);
  return {
    locale,
    direction: directionOf(locale),
    moment: formats.moment,
    named: (names) => listOf(names, formats),
    html(key: TextKey, values: Values = {}) {
      return html`${fillMessage(messageOf(key), values, formats, pageTarget(values, formats))}`;
    },
    text(key: TextKey, values: Values = {}) {
      return fillMessage(messageOf(key), values, formats, plain).join('');
    },
    with: (own) => textsOf(locale, formats, inPlaceOf(messageOf, own)),
  };
}

/** Uses the default text if the tenant's text has become unusable because the default has changed. */
function inPlaceOf(usual: MessageOf, own: ReadonlyMap<string, string>): MessageOf {
  const worded = remembered((key) => {
    const judged = judgeText(own.get(key) ?? '', usual(key));
    return judged.objection === undefined ? judged.message : usual(key);
  });
  return (key) => (own.has(key) && !isFixed(key) ? worded(key) : usual(key));
}

function remembered(parse: MessageOf): MessageOf {
  const parsed = new Map<TextKey, Message>();
  return (key) => {
    let message = parsed.get(key);
    if (!message) parsed.set(key, (message = parse(key)));
    return message;
  };
}

function listOf(names: readonly string[], { between }: Formats): Html {
  const [first = '', ...others] = between(names.length);
  return html`${first}${names.map((name, index) => html`<bdi>${name}</bdi>${others[index] ?? ''}`)}`;
}

type Values = Readonly<Record<string, TextValue>>;

function pageTarget(values: Values, formats: Formats): Target<TextValue, Html | string> {
  return {
    literal: (text) => text,
    value(value, name) {
      if (value instanceof Html) return value;
      const text = shown(value, name, formats);
      // Names and addresses can be in any script (UAX #9 §6.1).
      return typeof value === 'string' ? html`<bdi>${text}</bdi>` : text;
    },
    tag(name, parts) {
      if (name === 'b') return html`<b>${parts}</b>`;
      const { href, id } = linkIn(values, name);
      const named = id === undefined ? undefined : html` id="${id}"`;
      const address = html` href="${href}"`;
      return html`<a${named}${address}>${parts}</a>`;
    },
  };
}

/** The service sets link targets: a text names a link, but never its address. */
function linkIn(values: Values, name: string): Link {
  const link = values[name];
  if (typeof link !== 'object' || link instanceof Html) {
    throw new Error(`The text needs an address for ${name}.`);
  }
  return link;
}

function plainTarget(formats: Formats): Target<TextValue, string> {
  return {
    literal: (text) => text,
    value: (value, name) => shown(value, name, formats),
    tag: (_name, parts) => parts.join(''),
  };
}

function shown(value: TextValue, name: string, formats: Formats): string {
  if (typeof value === 'number') return formats.number(value);
  if (typeof value === 'string') return value;
  throw new Error(`The text shows a part of a page, or a link, as ${name}.`);
}
