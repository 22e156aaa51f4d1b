import type { MessageKind } from '@keywright/contract/messages';
import type { MessageText } from '../render.ts';
import type { SmsKind, Texts } from './text.ts';

export { SMS_KINDS, type SmsKind } from './text.ts';

/** Loaded when they are needed. */
const LOADERS: Readonly<Record<string, () => Promise<Texts>>> = {
  ar: async () => (await import('./ar.ts')).AR,
  de: async () => (await import('./de.ts')).DE,
  en: async () => (await import('./en.ts')).EN,
  es: async () => (await import('./es.ts')).ES,
  fr: async () => (await import('./fr.ts')).FR,
  ja: async () => (await import('./ja.ts')).JA,
};

const FALLBACK = 'en';

/** A text of a tenant. */
export interface OwnText extends MessageText {
  readonly locale: string;
}

export interface ChosenText extends MessageText {
  readonly locale: string;
  readonly isOwn: boolean;
}

/** The text of the first locale that there is one in: the tenant's, or a shipped one. */
export async function chooseText(
  kind: MessageKind,
  wanted: readonly (string | null | undefined)[],
  own: readonly OwnText[],
): Promise<ChosenText> {
  for (const locale of [...wanted, FALLBACK]) {
    const found = locale ? await findText(kind, locale, own) : undefined;
    if (found) return found;
  }
  throw new Error('There are no texts.');
}

/** The shipped text of a text message, in the first language that there is. */
export async function chooseSms(
  kind: SmsKind,
  wanted: readonly (string | null | undefined)[],
): Promise<string> {
  const languages = wanted.flatMap((locale) => locale?.split('-', 1) ?? []);
  const language = languages.find((one) => Object.hasOwn(LOADERS, one)) ?? FALLBACK;
  const texts = await LOADERS[language]?.();
  if (!texts) throw new Error('There are no texts.');
  return texts.sms[kind];
}

/** The text in a locale or its language. */
export async function findText(
  kind: MessageKind,
  locale: string,
  own: readonly OwnText[],
): Promise<ChosenText | undefined> {
  const [language = ''] = locale.split('-', 1);
  for (const one of [locale, language]) {
    const mine = own.find((text) => text.locale === one);
    if (mine) return { ...mine, isOwn: true };
  }
  const load = Object.hasOwn(LOADERS, language) ? LOADERS[language] : undefined;
  const shipped = load && (await load())[kind];
  return shipped && { ...shipped, locale: language, isOwn: false };
}
