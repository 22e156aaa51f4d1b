import { useQuery } from '@tanstack/react-query';
import type { Locale } from '../../../texts/locales.ts';
import { loadSentences, type Sentences } from '../../../texts/sentences.ts';
import { useTexts } from '../../../texts/texts.tsx';

/** Returns the sentences of the language; undefined while they load. */
export function useSentences(): Sentences | undefined {
  const { locale } = useTexts();
  return useQuery({
    queryKey: ['sentences', locale],
    queryFn: () => loadSentences(locale as Locale),
    staleTime: Infinity,
  }).data;
}
