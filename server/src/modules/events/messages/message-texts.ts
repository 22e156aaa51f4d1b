import { TEXT_LOCALES, type TextLocale } from '@keywright/contract/locale';
import type { MessageKind } from '@keywright/contract/messages';
import type { NamesOf, TextKey } from '../../../platform/texts/keys.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { localeOf } from '../../../platform/texts/locales.ts';
import type { MessageText } from './message.ts';

/** A text of a tenant. */
export interface TenantText extends MessageText {
  readonly locale: string;
}

export interface ChosenText extends MessageText {
  readonly locale: string;
  readonly isCustom: boolean;
}

/** Languages, the preferred one first. */
export type Languages = readonly (string | null | undefined)[];

/** The text in the first language that has one: the tenant's text, or the shipped one. */
export async function chooseText(
  kind: MessageKind,
  languages: Languages,
  templates: readonly TenantText[],
  textsOf: TextsOf,
): Promise<ChosenText> {
  for (const locale of [...languages, TEXT_LOCALES[0]]) {
    const found = locale ? await findText(kind, locale, templates, textsOf) : undefined;
    if (found) return found;
  }
  throw new Error('There are no texts.');
}

/** The shipped text of a text message, in the first available language. */
export async function chooseSms(kind: SmsKind, languages: Languages): Promise<string> {
  const locale = languages
    .map((language) => (language ? localeOf(language) : undefined))
    .find(Boolean);
  return shippedSms(kind, await loadTexts(locale ?? TEXT_LOCALES[0]));
}

/** The text in a locale or its language. */
export async function findText(
  kind: MessageKind,
  locale: string,
  templates: readonly TenantText[],
  textsOf: TextsOf,
): Promise<ChosenText | undefined> {
  const [language = ''] = locale.split('-', 1);
  for (const candidate of [locale, language]) {
    const mine = templates.find((text) => text.locale === candidate);
    if (mine) return { ...mine, isCustom: true };
  }
  const shipped = localeOf(locale);
  if (shipped === undefined) return undefined;
  return { ...shippedText(kind, await textsOf(shipped)), locale: shipped, isCustom: false };
}

/** A text of a tenant with the warnings in its language, or in English if the service has no texts in that language. */
export async function withWarningsIn(
  locale: string,
  kind: MessageKind,
  text: MessageText,
  textsOf: TextsOf,
): Promise<MessageText> {
  return withWarnings(kind, text, await textsOf(localeOf(locale) ?? TEXT_LOCALES[0]));
}

/** The kinds of text messages. */
export const SMS_KINDS = ['login', 'verification', 'second_factor'] as const;
export type SmsKind = (typeof SMS_KINDS)[number];

type MessageKey = Extract<TextKey, `${'mail' | 'sms' | 'notice'}.${string}`>;
type Variable = Exclude<NamesOf<MessageKey>, 'minutes'>;
type Notice = Exclude<Extract<MessageKind, `notice.${string}`>, typeof LOGINS_CHANGED>;

/** Maps each variable to itself, because its value is filled in later. */
const VARIABLES: Readonly<Record<Variable, string>> = {
  company: '{{company}}',
  identifier: '{{identifier}}',
  support_email: '{{support_email}}',
  time: '{{time}}',
  device: '{{device}}',
  ip_address: '{{ip_address}}',
  changed: '{{changed}}',
  code: '{{code}}',
  duration: '{{duration}}',
  valid_until: '{{valid_until}}',
  inviter: '{{inviter}}',
  actor: '{{actor}}',
  change: '{{change}}',
};

/** Returns a sentence of the catalog. */
type Say = (key: Exclude<MessageKey, 'mail.duration'>) => string;

function sayIn(texts: Texts): Say {
  return (key) => texts.text(key, VARIABLES);
}

/** The text of a kind that ships with the service, as a tenant could have written it. */
function shippedText(kind: MessageKind, texts: Texts): MessageText {
  const say = sayIn(texts);
  if (kind === LOGINS_CHANGED) return changedLogins(say);
  const { subject, paragraphs } = isNotice(kind) ? noticeOf(kind, say) : requested(kind, say);
  return { subject, text: [...paragraphs, say('mail.help')].join('\n\n') };
}

/** The notice to administrators. It omits what a holder of `write:tenant` could change, such as the help address. */
const LOGINS_CHANGED = 'notice.logins_changed' satisfies MessageKind;

function changedLogins(say: Say): MessageText {
  const paragraphs = [
    say('notice.logins_changed.text'),
    say('notice.logins_changed.by'),
    say('mail.time'),
    say('notice.logins_changed.warning'),
  ];
  return { subject: say('notice.logins_changed.subject'), text: paragraphs.join('\n\n') };
}

interface Parts {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

function isNotice(kind: Exclude<MessageKind, typeof LOGINS_CHANGED>): kind is Notice {
  return kind.startsWith('notice.');
}

function requested(kind: Exclude<MessageKind, Notice | typeof LOGINS_CHANGED>, say: Say): Parts {
  const above = (variable: string) => (key: Parameters<Say>[0]) => `${say(key)}\n{{${variable}}}`;
  const [code, link] = [above('code'), above('link')];
  const valid = say('mail.valid_for');
  const rest = [...facts(say), say('mail.ignore')];
  switch (kind) {
    case 'login':
      return {
        subject: say('mail.login.subject'),
        paragraphs: [code('mail.enter_to_log_in'), link('mail.open_to_log_in'), valid, ...rest],
      };
    case 'verification':
      return {
        subject: say('mail.verification.subject'),
        paragraphs: [code('mail.enter_to_verify'), link('mail.open'), valid, ...rest],
      };
    case 'recovery':
      return {
        subject: say('mail.recovery.subject'),
        paragraphs: [code('mail.enter_to_recover'), link('mail.open'), valid, ...rest],
      };
    case 'second_factor':
      // The first factor has already been proven, so a user who did not prove it must not ignore the message.
      return {
        subject: say('mail.login.subject'),
        paragraphs: [code('mail.enter_to_log_in'), valid, ...facts(say), say('mail.not_you')],
      };
    case 'invitation':
      return {
        subject: say('mail.invitation.subject'),
        paragraphs: [
          say('mail.invitation.what'),
          link('mail.invitation.open'),
          say('mail.invitation.valid_until'),
          say('mail.invitation.ignore'),
        ],
      };
  }
}

function noticeOf(kind: Notice, say: Say): Parts {
  const what = say(`${kind}.text`);
  const warnings = warningsOf(kind, '', say);
  return {
    subject: say(`${kind}.subject`),
    paragraphs: [what, ...facts(say), ...warnings, ...(hasAccount(kind) ? [review(say)] : [])],
  };
}

/** The request that caused a message. */
function facts(say: Say): string[] {
  return [say('mail.time'), say('mail.device'), say('mail.address')];
}

function review(say: Say): string {
  return `${say('mail.open_account')}\n{{account_url}}`;
}

/** Whether the reader can review the account. A notice that undoes the change has a link for that instead. */
function hasAccount(kind: Notice): boolean {
  return !UNDOING.includes(kind) && !WITHOUT_ACCOUNT.includes(kind);
}

const WITHOUT_ACCOUNT: readonly MessageKind[] = [
  'notice.account_deleted',
  'notice.account_reclaimed',
];

/**
 * The warnings for a user who did not make the change.
 * @param text of a notice, which can contain the link to undo it
 */
function warningsOf(kind: Notice, text: string, say: Say): string[] {
  // A breach is not a change, and without an account the advice cannot be followed.
  if (kind === 'notice.password_breached' || WITHOUT_ACCOUNT.includes(kind)) return [];
  const undoes = UNDOING.includes(kind) && !text.includes('{{link}}');
  return [say('mail.not_you'), ...(undoes ? [`${say('mail.open_to_undo')}\n{{link}}`] : [])];
}

/** Adds the warnings that protect the reader to a tenant's text: a notice explains how to undo the change. */
function withWarnings(kind: MessageKind, text: MessageText, texts: Texts): MessageText {
  if (kind === LOGINS_CHANGED || !isNotice(kind)) return text;
  const warnings = warningsOf(kind, text.text, sayIn(texts)).filter(
    (warning) => !text.text.includes(warning),
  );
  return { ...text, text: [text.text, ...warnings].join('\n\n') };
}

/** The text of a code by SMS. */
function shippedSms(kind: SmsKind, texts: Texts): string {
  return sayIn(texts)(kind === 'verification' ? 'sms.verification' : 'sms.login');
}

/** A text of a tenant that replaces one in the catalog. */
export interface TenantSentence {
  readonly locale: string;
  readonly key: string;
  readonly text: string;
}

/** Returns the texts of a language, in the words of a tenant. */
export type TextsOf = (locale: TextLocale) => Promise<Texts>;

export function textsWith(sentences: readonly TenantSentence[]): TextsOf {
  return async (locale) => {
    const usual = await loadTexts(locale);
    const worded = sentences.filter((sentence) => sentence.locale === locale);
    if (worded.length === 0) return usual;
    return usual.with(new Map(worded.map(({ key, text }) => [key, text])));
  };
}

const COMMON = ['company', 'identifier', 'support_email', 'time', 'device', 'ip_address'];
/** How long the code and the link are valid, as a number and in words, such as `10 minutes`. */
const VALIDITY = ['minutes', 'duration'];
/** The kinds of messages whose secret undoes the change that they report. */
const UNDOING: readonly MessageKind[] = [
  'notice.identifier_added',
  'notice.identifier_removed',
  'notice.identifier_primary',
];

/** Whether the text of this kind cannot be replaced, because it warns about the people who could replace it. */
export function isFixedKind(kind: MessageKind): boolean {
  return kind === 'notice.logins_changed';
}

/** The variables that a text of this kind can contain. */
function variablesOf(kind: MessageKind): readonly string[] {
  if (kind === 'invitation') return [...COMMON, 'link', 'valid_until', 'inviter'];
  if (kind === 'second_factor') return [...COMMON, 'code', ...VALIDITY];
  if (!kind.startsWith('notice.')) return [...COMMON, 'code', 'link', ...VALIDITY];
  const undo = UNDOING.includes(kind) ? ['link'] : [];
  return [...COMMON, 'changed', 'account_url', ...undo];
}

/**
 * Why a text cannot be used. Only its recipients would notice a mistake, and the owner of a stolen administrator token
 * would add a link to another host.
 */
export function objectionToText(
  kind: MessageKind,
  { subject, text }: MessageText,
  domains: readonly string[],
): string | undefined {
  if (isFixedKind(kind)) return `The text of ${kind} cannot be replaced.`;
  const variables = variablesOf(kind);
  const all = `${subject}\n${text}`;
  const used = [...all.matchAll(/\{\{(.*?)\}\}/gs)].map(([, name = '']) => name);
  const unknown = used.find((name) => !variables.includes(name));
  if (unknown !== undefined) {
    return `{{${unknown.slice(0, 64)}}} is not a variable of ${kind}. Use one of: ${variables.join(', ')}.`;
  }
  if (/\{\{|\}\}/.test(all.replaceAll(/\{\{.*?\}\}/gs, ''))) {
    return '{{ and }} can only be used around the name of a variable.';
  }
  if (/\{\{(code|link)\}\}/.test(subject)) {
    return 'The subject must not contain {{code}} or {{link}}: it is shown on locked screens.';
  }
  if (variables.includes('code') && !/\{\{(code|link)\}\}/.test(text)) {
    return 'The text must contain {{code}} or {{link}}.';
  }
  if (kind === 'invitation' && !text.includes('{{link}}')) {
    return 'The text must contain {{link}}.';
  }
  const foreign = addressesIn(all).find((host) => !isOf(host, domains));
  return foreign === undefined
    ? undefined
    : `The text must not contain a URL of ${foreign}: only {{link}} and domains of the tenant.`;
}

/** The hosts that email programs would turn into links. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/(?:[a-z][a-z0-9+.-]*:\/\/|\bwww\.)([^\s/?#<>"']*)/gi)].map(
    ([whole, rest = '']) => {
      const host = whole.toLowerCase().startsWith('www.') ? whole : rest;
      return host
        .replace(/^.*@/, '')
        .replace(/[:.,;)]+\d*$/, '')
        .toLowerCase();
    },
  );
}

function isOf(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Placeholder values for previews and tests, instead of secrets and event data. */
export const DUMMIES = {
  code: '12345678',
  minutes: '10',
  time: '2026-01-01T12:00:00Z',
  device: 'Firefox',
  ip_address: '203.0.113.7',
  changed: 'new@example.com',
  valid_until: '2026-01-08T12:00:00Z',
  inviter: 'Grace Hopper',
  what: 'provider_added',
  actor: 'ada@example.com',
};
/** The code in previews and tests of text messages. */
export const DUMMY_CODE = '123456';
