/** How one language writes numbers and counts. */
export interface Formats {
  readonly number: (value: number) => string;
  /** The plural category (CLDR) of a count. */
  readonly category: (count: number, type: Intl.PluralRulesOptions['type']) => string;
}

/** Formatters of `Intl` cost up to a millisecond to make, and are made when first used. */
export function formatsOf(locale: string): Formats {
  // Codes and addresses are written with Western digits, so everything beside them is.
  const tag = `${locale}-u-nu-latn`;
  let numbers: Intl.NumberFormat | undefined;
  const rules = new Map<string, Intl.PluralRules>();
  return {
    number: (value) => (numbers ??= new Intl.NumberFormat(tag)).format(value),
    category(count, type = 'cardinal') {
      let rule = rules.get(type);
      if (!rule) rules.set(type, (rule = new Intl.PluralRules(tag, { type })));
      return rule.select(count);
    },
  };
}
