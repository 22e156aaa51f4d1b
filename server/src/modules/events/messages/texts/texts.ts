import type { MessageKind } from '@keywright/contract/messages';
import type { MessageText } from '../render.ts';
import type { Texts } from './text.ts';

/** Loaded when they are needed. */
const LOADERS: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => (await import('./en.ts')).EN,
};

const FALLBACK = 'en';

/** The language of the first locale that there are texts in. */
export function shippedLocale(wanted: readonly (string | null | undefined)[]): string {
  const languages = wanted.map((one) => one?.split('-', 1)[0]?.toLowerCase() ?? '');
  return languages.find((one) => Object.hasOwn(LOADERS, one)) ?? FALLBACK;
}

export async function shippedText(locale: string, kind: MessageKind): Promise<MessageText> {
  const load = LOADERS[locale] ?? LOADERS[FALLBACK];
  if (!load) throw new Error('There are no texts.');
  return (await load())[kind];
}
