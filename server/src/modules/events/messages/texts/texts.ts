import type { MessageKind } from '@keywright/contract/messages';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { loadTexts } from '../../../../platform/texts/load.ts';
import { localeOf } from '../../../../platform/texts/locales.ts';
import type { MessageText } from '../render.ts';
import type { TextsOf } from './own.ts';
import { shippedSms, shippedText, type SmsKind, withWarnings } from './shipped.ts';

export { SMS_KINDS, type SmsKind } from './shipped.ts';

/** A text of a tenant. */
export interface OwnText extends MessageText {
  readonly locale: string;
}

export interface ChosenText extends MessageText {
  readonly locale: string;
  readonly isOwn: boolean;
}

/** Languages, the preferred one first. */
export type Wanted = readonly (string | null | undefined)[];

/** The text of the first locale that there is one in: the tenant's, or a shipped one. */
export async function chooseText(
  kind: MessageKind,
  wanted: Wanted,
  own: readonly OwnText[],
  textsOf: TextsOf,
): Promise<ChosenText> {
  for (const locale of [...wanted, TEXT_LOCALES[0]]) {
    const found = locale ? await findText(kind, locale, own, textsOf) : undefined;
    if (found) return found;
  }
  throw new Error('There are no texts.');
}

/** The shipped text of a text message, in the first language that there is. */
export async function chooseSms(kind: SmsKind, wanted: Wanted): Promise<string> {
  const locale = wanted.map((one) => (one ? localeOf(one) : undefined)).find(Boolean);
  return shippedSms(kind, await loadTexts(locale ?? TEXT_LOCALES[0]));
}

/** The text in a locale or its language. */
export async function findText(
  kind: MessageKind,
  locale: string,
  own: readonly OwnText[],
  textsOf: TextsOf,
): Promise<ChosenText | undefined> {
  const [language = ''] = locale.split('-', 1);
  for (const one of [locale, language]) {
    const mine = own.find((text) => text.locale === one);
    if (mine) return { ...mine, isOwn: true };
  }
  const shipped = localeOf(locale);
  if (shipped === undefined) return undefined;
  return { ...shippedText(kind, await textsOf(shipped)), locale: shipped, isOwn: false };
}

/** A text of a tenant as it is sent: a language without texts of ours has our warnings in English. */
export async function warned(
  kind: MessageKind,
  own: MessageText,
  locale: string,
  textsOf: TextsOf,
): Promise<MessageText> {
  return withWarnings(kind, own, await textsOf(localeOf(locale) ?? TEXT_LOCALES[0]));
}
