/** How one language writes numbers, counts, moments and lists. */
export interface Formats {
  readonly number: (value: number) => string;
  /** Formats a time to the minute, in UTC. */
  readonly moment: (at: Date) => string;
  /** Returns the separators of a list with this many elements, including the text around it: one more than elements. */
  readonly between: (count: number) => readonly string[];
  /** Returns the plural category (CLDR) of a count. */
  readonly category: (count: number, type: Intl.PluralRulesOptions['type']) => string;
}

/** A character that no language writes. */
const SLOT = '\0';

const TO_THE_MINUTE: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
};

/**
 * Returns the formats of a locale. `Intl` formatters take up to a millisecond to create, and are created on first use.
 */
export function formatsOf(locale: string): Formats {
  // Codes and addresses have Western digits, so the text around them also does.
  const tag = `${locale}-u-ca-gregory-nu-latn`;
  let numbers: Intl.NumberFormat | undefined;
  let moments: Intl.DateTimeFormat | undefined;
  let lists: Intl.ListFormat | undefined;
  const rules = new Map<string, Intl.PluralRules>();
  return {
    number: (value) => (numbers ??= new Intl.NumberFormat(tag)).format(value),
    moment: (at) => (moments ??= new Intl.DateTimeFormat(tag, TO_THE_MINUTE)).format(at),
    between(count) {
      lists ??= new Intl.ListFormat(tag, { type: 'conjunction' });
      const parts = lists.formatToParts(Array.from({ length: count }, () => '-'));
      const text = parts.map(({ type, value }) => (type === 'element' ? SLOT : value));
      return text.join('').split(SLOT);
    },
    category(count, type = 'cardinal') {
      let rule = rules.get(type);
      if (!rule) rules.set(type, (rule = new Intl.PluralRules(tag, { type })));
      return rule.select(count);
    },
  };
}
