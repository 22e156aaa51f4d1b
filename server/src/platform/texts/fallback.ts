import { type Html, html } from '../http/pages/html.ts';
import type { Texts } from './texts.ts';

/** Marks English-only text as a part of a page in any language. */
export function inEnglish(text: string, { locale }: Texts): Html {
  return locale === 'en' ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`;
}
