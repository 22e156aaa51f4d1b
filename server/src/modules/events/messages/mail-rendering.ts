import type { MessageKind } from '@keywright/contract/messages';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { TextKey } from '../../../platform/texts/keys.ts';
import { directionOf, formatsOf, localeOf } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import {
  buttonTo,
  codeBox,
  inlineCode,
  inlineLink,
  layOut,
  type MailBrand,
  note,
  paragraph,
} from './mail-layout.ts';
import type { TextsOf } from './message-texts.ts';
import type { Values, LoginsChange, MessageText } from './message.ts';

/** A message as it is sent. */
interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A message with its HTML part as a page. */
export interface RenderedPage extends Rendered {
  readonly page: Html;
}

/** The parts of an email other than its text. */
export interface Look {
  readonly kind: MessageKind;
  readonly locale: string;
  readonly brand: MailBrand;
  /** The texts of the locale; English if the service has none in it. */
  readonly texts: Texts;
}

const VARIABLE = /\{\{([a-z_]+)\}\}/g;
/** Values that users copy or open stand alone. */
const ALONE = ['code', 'link', 'account_url'];

/** Renders a message. Both parts contain the same text, below the name of the tenant. */
export function renderMessage(
  template: MessageText,
  unsafe: Values,
  unsafeLook: Look,
): RenderedPage {
  const values = flattened(unsafe);
  const paragraphs = template.text
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== '' && namesIn(text).every((name) => values[name] !== undefined));
  const subject = fill(template.subject, values).trim();
  const look = {
    ...unsafeLook,
    brand: { ...unsafeLook.brand, name: flatten(unsafeLook.brand.name) },
  };
  const shown = directionOf(look.locale) === 'rtl' ? isolated(values) : values;
  const text = [
    look.brand.name,
    ...paragraphs.map((paragraphText) => fill(paragraphText, shown)),
    look.texts.text('mail.why', whyOf(shown)),
  ].join('\n\n');
  const all = placed(paragraphs);
  const inRole = (role: Paragraph['role']) => all.filter((candidate) => candidate.role === role);
  const { page, html: sent } = layOut({
    ...look,
    heading: subject,
    preheader: preheaderOf(all, values),
    body: [
      ...inRole('body').flatMap((each) => bodyOf(each.text, { look, values })),
      ...inRole('note').map((each) => note(linesOf(each.text, values))),
    ],
    details: inRole('details').flatMap((each) => linesOf(each.text, values)),
    footer: [
      ...inRole('footer').map((each) => html`${linesOf(each.text, values)}`),
      look.texts.html('mail.why', whyOf(values)),
    ],
  });
  return { subject, text: `${text}\n`, html: sent, page };
}

function whyOf({ identifier = '', company = '' }: Values) {
  return { identifier, company };
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

/** A paragraph of a message, and where an email shows it. */
interface Paragraph {
  readonly text: string;
  readonly role: 'body' | 'note' | 'details' | 'footer';
}

/** Values that describe the request or the change. */
const FACTS = ['time', 'device', 'ip_address'];
const VALIDITY = ['duration', 'valid_until'];

/**
 * Decides where each paragraph is shown: facts and what follows the last action are details, and how long the action is
 * valid is a note below it.
 */
function placed(paragraphs: readonly string[]): Paragraph[] {
  const last = paragraphs.findLastIndex((text) => text.split('\n').some(isAction));
  return paragraphs.map((text, index) => {
    const names = namesIn(text);
    const isAfter = last >= 0 && index > last;
    if (names.includes('support_email')) return { text, role: 'footer' };
    if (names.some((name) => FACTS.includes(name))) return { text, role: 'details' };
    if (!isAfter) return { text, role: 'body' };
    return { text, role: names.some((name) => VALIDITY.includes(name)) ? 'note' : 'details' };
  });
}

/** Whether a line consists of a code or a URL. */
function isAction(line: string): boolean {
  return ALONE.some((name) => line.trim() === `{{${name}}}`);
}

/** The line that mailboxes show next to the subject. It omits the code, because it is shown on locked screens. */
function preheaderOf(paragraphs: readonly Paragraph[], values: Values): string {
  const lines = paragraphs
    .filter(({ role }) => role === 'body' || role === 'note')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => !namesIn(line).some((name) => ALONE.includes(name)))
    .map((line) => fill(line, values).replace(/\s*[:：]$/u, '.'));
  return lines.join(' ').slice(0, PREHEADER_CHARACTERS);
}

const PREHEADER_CHARACTERS = 200;

interface Filled {
  readonly look: Look;
  readonly values: Values;
}

/** The elements of a paragraph in the body: its sentences, its code and its button. */
function bodyOf(text: string, { look, values }: Filled): Html[] {
  const parts: Html[] = [];
  let sentences: Html[] = [];
  const flush = () => {
    if (sentences.length > 0) parts.push(paragraph(sentences));
    sentences = [];
  };
  for (const line of text.split('\n')) {
    if (isAction(line)) {
      flush();
      parts.push(actionOf(namesIn(line)[0] ?? '', { look, values }));
    } else {
      sentences.push(html`${partsOf(line, values)}`);
    }
  }
  flush();
  return parts;
}

function actionOf(name: string, { look, values }: Filled): Html {
  const value = values[name] ?? '';
  return name === 'code'
    ? codeBox(value)
    : buttonTo(value, labelOf(name, { look, values }), look.brand);
}

/** The label of the button that opens a URL. */
function labelOf(name: string, { look: { kind, texts }, values }: Filled): Html {
  if (name === 'account_url') return texts.html('mail.account.button');
  if (kind === 'invitation') return texts.html('mail.invitation.button');
  if (kind === 'recovery') return texts.html('mail.recovery.button');
  if (kind === 'verification') return texts.html('addresses.confirm');
  if (kind.startsWith('notice.')) return texts.html('mail.undo.button');
  return texts.html('mail.login.button', { company: values['company'] ?? '' });
}

function linesOf(text: string, values: Values): Html[] {
  return text.split('\n').map((line) => html`${partsOf(line, values)}`);
}

function partsOf(line: string, values: Values): Html[] {
  return line.split(/(\{\{[a-z_]+\}\})/).map((part) => {
    const name = /^\{\{([a-z_]+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return html`${part}`;
    const value = values[name] ?? '';
    if (name === 'code') return inlineCode(value);
    return ALONE.includes(name) ? inlineLink(value) : html`<bdi>${value}</bdi>`;
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
    inviter: values['inviter'] ?? texts?.text('mail.invitation.unnamed'),
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
