import { lazy } from './lazy.ts';

/** Loaded with the first number: the numbering plans of all countries take memory. */
const load = lazy(() => import('libphonenumber-js/max'));

/** Kinds of numbers that can receive text messages. Other kinds, such as premium-rate, could earn their owner money. */
const ORDINARY: ReadonlySet<string | undefined> = new Set([
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'FIXED_LINE',
  'VOIP',
]);

/**
 * @param number in E.164 form
 * @returns the two-letter country code of a number that text messages are sent to; undefined for any other number
 */
export async function countryOfPhone(number: string): Promise<string | undefined> {
  const { parsePhoneNumberFromString } = await load();
  const parsed = parsePhoneNumberFromString(number);
  // With a national prefix, the text would be another spelling of the same number.
  if (!parsed?.isValid() || parsed.number !== number) return undefined;
  return ORDINARY.has(parsed.getType()) ? parsed.country : undefined;
}

/** @param text two letters */
export async function hasPhoneNumbers(text: string): Promise<boolean> {
  return (await load()).isSupportedCountry(text);
}
