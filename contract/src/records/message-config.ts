import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { LocaleText } from '../locale.ts';

const Country = Type.String({
  pattern: '^[A-Z]{2}$',
  [EXPECTS]: 'a country by its two letters (ISO 3166-1), such as DE',
  examples: ['DE'],
});
const limit = (byDefault: number, maximum: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, default: byDefault, description });

/** Message settings. Text messages cost the tenant money, and an attacker can earn money by requesting many of them. */
export const MESSAGE_CONFIG = {
  locales: Type.Array(LocaleText, {
    maxItems: 16,
    uniqueItems: true,
    default: [],
    description:
      'Languages of messages and pages (BCP 47), in order of preference, for users who prefer no other language. If empty, English.',
  }),
  sms_countries: Type.Array(Country, {
    maxItems: 250,
    uniqueItems: true,
    default: [],
    description:
      'Countries whose phone numbers can receive codes by SMS. If empty, no codes are sent by SMS. Needs `messaging.sms`.',
  }),
  sms_hourly_limit: limit(
    100,
    100_000,
    'Maximum number of text messages per hour, to all numbers. More are not sent. The last quarter is reserved for new networks, and for users who have proven more than an identifier.',
  ),
  sms_daily_limit: limit(
    500,
    1_000_000,
    'Maximum number of text messages per day, to all numbers.',
  ),
  sms_country_hourly_limit: limit(
    50,
    100_000,
    'Maximum number of text messages per hour to the numbers of one country.',
  ),
};
