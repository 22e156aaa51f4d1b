import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { directionOf } from '../texts/format.ts';
import { type Catalog, chooseLocale, loadCatalog, type Locale } from '../texts/locales.ts';
import { TextsProvider } from '../texts/texts.tsx';
import { readStored } from './appearance.ts';

const KEY = 'keywright-language';

interface Language {
  readonly locale: Locale;
  readonly choose: (locale: Locale) => void;
}

const Context = createContext<Language | undefined>(undefined);

/** Returns the language that was chosen here, or else the one that the browser requests. */
export function firstLocale(): Locale {
  const stored = readStored(KEY);
  return chooseLocale([...(stored === undefined ? [] : [stored]), ...navigator.languages]);
}

interface Props {
  readonly locale: Locale;
  readonly catalog: Catalog;
  readonly children: ReactNode;
}

export function LanguageProvider({ locale: first, catalog, children }: Props) {
  const [present, setPresent] = useState({ locale: first, catalog });
  useEffect(() => {
    document.documentElement.lang = present.locale;
    document.documentElement.dir = directionOf(present.locale);
  }, [present]);
  const choose = async (locale: Locale) => {
    setPresent({ locale, catalog: await loadCatalog(locale) });
    try {
      localStorage.setItem(KEY, locale);
    } catch {
      // If the browser refuses to store the language, it applies to this page only.
    }
  };
  return (
    <Context value={{ locale: present.locale, choose: (locale) => void choose(locale) }}>
      <TextsProvider locale={present.locale} catalog={present.catalog}>
        {children}
      </TextsProvider>
    </Context>
  );
}

export function useLanguage(): Language {
  const language = use(Context);
  if (!language) throw new Error('The language is used within its provider.');
  return language;
}
