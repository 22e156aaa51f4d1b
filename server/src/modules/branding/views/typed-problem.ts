import type { Html } from '../../../platform/http/pages/html.ts';
import { inEnglish } from '../../../platform/texts/fallback.ts';
import type { Texts } from '../../../platform/texts/texts.ts';

/** What the API says of addresses and passwords, and the words of pages for it. */
const WORDS: readonly (readonly [
  said: RegExp,
  words: (texts: Texts, part: string) => Html | string,
])[] = [
  [
    /^must be an e-mail address, or a phone number such as (\+\d+)$/,
    (texts, example) => texts.html('typed.address', { example }),
  ],
  [/^must be one of your own addresses$/, (texts) => texts.text('typed.own_address')],
  [
    /^has more than (\d+) characters$/,
    (texts, count) => texts.text('typed.too_long', { count: Number(count) }),
  ],
  [
    /^needs at least (\d+) characters$/,
    (texts, count) => texts.text('typed.too_short', { count: Number(count) }),
  ],
  [/^needs a character that is neither /, (texts) => texts.text('typed.special')],
  [/^is little more than a name of the user /, (texts) => texts.text('typed.name')],
  [/^is one of the most common passwords$/, (texts) => texts.text('typed.common')],
  [/^is known from a breach /, (texts) => texts.text('typed.breached')],
];

/** @param message of the first error of a VALIDATION_FAILED; one without words of its own stays in English */
export function typedProblem(message: string, texts: Texts): Html | string {
  for (const [said, words] of WORDS) {
    const match = said.exec(message);
    if (match) return words(texts, match[1] ?? '');
  }
  return texts.html('problem.typed', { problem: inEnglish(message, texts) });
}
