import type { TextLocale } from '@keywright/contract/locale';
import { loadTexts } from '../../../../platform/texts/load.ts';
import type { Texts } from '../../../../platform/texts/texts.ts';

/** A text of a tenant in place of one of the catalogue. */
export interface OwnSentence {
  readonly locale: string;
  readonly key: string;
  readonly text: string;
}

/** The texts of a language, in the words of a tenant. */
export type TextsOf = (locale: TextLocale) => Promise<Texts>;

export function textsWith(own: readonly OwnSentence[]): TextsOf {
  return async (locale) => {
    const usual = await loadTexts(locale);
    const worded = own.filter((one) => one.locale === locale);
    if (worded.length === 0) return usual;
    return usual.with(new Map(worded.map(({ key, text }) => [key, text])));
  };
}
