import { Select } from '../../parts/form/select.tsx';
import { type Locale, LOCALES, nameOfLanguage } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly value: Locale;
  readonly onChoose: (locale: Locale) => void;
}

/** Selects a language of the pages. Each is named in itself. */
export function LanguageChoice({ value, onChoose }: Props) {
  const { say } = useTexts();
  return (
    <Select
      label={say('language')}
      value={value}
      choices={LOCALES.map((locale) => [locale, nameOfLanguage(locale)])}
      onChoose={onChoose}
      isLanguage
    />
  );
}
