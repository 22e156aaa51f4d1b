import type { TextLocale as Locale } from '@keywright/contract/locale';
import { Html, html } from '../http/pages/html.ts';
import { type Catalog, isFixed, type NamesOf, type TextKey } from './keys.ts';
import { directionOf, type Formats, formatsOf } from './locales.ts';
import { fillMessage, judgeText, type Message, parseMessage, type Target } from './message.ts';

/** The address of a text's link. */
interface Link {
  readonly href: string;
  readonly id?: string;
}

/** The value of a placeholder. On a page, text is escaped, and isolated from the surrounding text direction. */
export type TextValue = string | number | Html | Link;

type Values = Readonly<Record<string, TextValue>>;
type ValuesFor<Key extends TextKey, Value> = [NamesOf<Key>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Key>, Value>>];

type MessageOf = (key: TextKey) => Message;

/** The texts of one language, filled with values. */
export class Texts {
  readonly locale: Locale;
  readonly direction: 'ltr' | 'rtl';
  /** Formats a time to the minute, in UTC. */
  readonly moment: (at: Date) => string;
  readonly #formats: Formats;
  readonly #messageOf: MessageOf;

  private constructor(locale: Locale, formats: Formats, messageOf: MessageOf) {
    this.locale = locale;
    this.direction = directionOf(locale);
    this.moment = formats.moment;
    this.#formats = formats;
    this.#messageOf = messageOf;
  }

  /** Messages are parsed when they are first shown. */
  static of(locale: Locale, catalog: Catalog): Texts {
    const messageOf = memoized((key) => parseMessage(catalog[key]));
    return new Texts(locale, formatsOf(locale), messageOf);
  }

  /** Returns a text as part of a page, with its bold words and its link, whose address is the value `link`. */
  html<Key extends TextKey>(key: Key, ...values: ValuesFor<Key, TextValue>): Html;
  html(key: TextKey, values: Values = {}): Html {
    const target = pageTarget(values, this.#formats);
    return html`${fillMessage(this.#messageOf(key), values, this.#formats, target)}`;
  }

  /** Returns a text without markup: for titles, labels and messages. */
  text<Key extends TextKey>(key: Key, ...values: ValuesFor<Key, string | number>): string;
  text(key: TextKey, values: Values = {}): string {
    const target = plainTarget(this.#formats);
    return fillMessage(this.#messageOf(key), values, this.#formats, target).join('');
  }

  /** Formats a list of names chosen by others. */
  named(names: readonly string[]): Html {
    const [first = '', ...others] = this.#formats.between(names.length);
    return html`${first}${names.map((name, index) => html`<bdi>${name}</bdi>${others[index] ?? ''}`)}`;
  }

  /**
   * Returns the texts in the tenant's wording. @param replacements ICU messages by key; unusable messages and those for fixed
   * texts are ignored
   */
  with(replacements: ReadonlyMap<string, string>): Texts {
    return new Texts(this.locale, this.#formats, replacedBy(replacements, this.#messageOf));
  }
}

/** Uses the default text if the tenant's text has become unusable because the default has changed. */
function replacedBy(replacements: ReadonlyMap<string, string>, defaultOf: MessageOf): MessageOf {
  const replacementOf = memoized((key) => {
    const judged = judgeText(replacements.get(key) ?? '', defaultOf(key));
    return judged.objection === undefined ? judged.message : defaultOf(key);
  });
  return (key) => (replacements.has(key) && !isFixed(key) ? replacementOf(key) : defaultOf(key));
}

function memoized(parse: MessageOf): MessageOf {
  const parsed = new Map<TextKey, Message>();
  return (key) => {
    let message = parsed.get(key);
    if (!message) parsed.set(key, (message = parse(key)));
    return message;
  };
}

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
