import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { TenantIdSchema, UserIdSchema } from '../ids.ts';
import { TextLocale } from '../locale.ts';

/** Control characters, line breaks, and invisible characters that hide or reorder the text around them. */
export const NOT_IN_NAMES =
  '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\uffff';
/** Matches a single line with at least one visible character. */
const NAME_PATTERN = `^[^${NOT_IN_NAMES}]*[^${NOT_IN_NAMES}\\s\\u200c\\u200d][^${NOT_IN_NAMES}]*$`;
export const NAME_LENGTH = 128;

export const PersonName = Type.String({
  maxLength: NAME_LENGTH,
  pattern: NAME_PATTERN,
  [EXPECTS]: 'one line of text without control characters',
  description: 'Name of the user.',
  examples: ['Ada Lovelace'],
});

const Picture = Type.String({
  maxLength: 2048,
  pattern: '^https?://[\\x21-\\x7e]+$',
  [EXPECTS]: 'an https URL',
  description: 'URL of a picture of the user.',
  examples: ['https://cdn.example.com/ada.png'],
});

/** The fields that users can set themselves. */
export const PROFILE = {
  name: Type.Union([PersonName, Type.Null()], {
    description: 'Name of the user; `null` if it is not set.',
    examples: ['Ada Lovelace'],
  }),
  picture: Type.Union([Picture, Type.Null()], {
    description:
      'URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials.',
    examples: ['https://cdn.example.com/ada.png'],
  }),
  locale: Type.Union([TextLocale, Type.Null()], {
    description: 'Language of messages to the user; `null` for the tenant’s language.',
    examples: ['de'],
  }),
};

export const ProfileRecord = Type.Object(
  { user_id: UserIdSchema, tenant_id: TenantIdSchema, ...PROFILE },
  { $id: 'Profile', description: 'A user’s profile. Users write it themselves.' },
);
export type ProfileRecord = Static<typeof ProfileRecord>;
