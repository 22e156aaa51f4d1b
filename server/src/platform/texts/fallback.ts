import { type Html, html } from '../http/pages/html.ts';
import type { Texts } from './texts.ts';

/** What there is in English only, as part of a page in any language. */
export function inEnglish(text: string, { locale }: Texts): Html {
  return locale === 'en' ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`;
}
