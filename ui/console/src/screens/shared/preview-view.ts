import { PREVIEW_PAGES, type PreviewPage } from '@keywright/contract/preview-pages';
import { LOCALES, type Locale } from '../../texts/locales.ts';
import type { Search } from '../../url/search.ts';

export const SCHEMES = ['auto', 'light', 'dark'] as const;
export const DEVICES = ['phone', 'desk'] as const;
type Device = (typeof DEVICES)[number];

/** Which page is shown, and how. */
export interface PreviewView {
  readonly page: PreviewPage;
  readonly locale: Locale;
  readonly scheme: (typeof SCHEMES)[number];
  readonly device: Device;
}

/** Returns the view that the URL describes. @param locale language of the console, unless the URL names another */
export function viewOf(search: Search, locale: string): PreviewView {
  const chosen = <Value extends string>(all: readonly Value[], name: string) =>
    all.find((value) => value === search[name]);
  return {
    page: chosen(PREVIEW_PAGES, 'view') ?? 'login',
    locale: chosen(LOCALES, 'locale') ?? LOCALES.find((candidate) => candidate === locale) ?? 'en',
    scheme: chosen(SCHEMES, 'scheme') ?? 'auto',
    device: chosen(DEVICES, 'device') ?? 'phone',
  };
}
