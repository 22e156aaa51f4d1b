import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { TenantIdSchema, UserIdSchema } from '../ids.ts';
import { TextLocale } from '../locale.ts';

/** Matches a single line with at least one character that is not white space. */
export const NAME_PATTERN = '^[^\\p{Cc}\\p{Cs}]*[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*$';
export const NAME_LENGTH = 128;

const Name = Type.String({
  maxLength: NAME_LENGTH,
  pattern: NAME_PATTERN,
  [EXPECTS]: 'one line of text without control characters',
  description: 'Name that the user wants to be called.',
  examples: ['Ada Lovelace'],
});

/** The fields that users can set themselves. */
export const PROFILE = {
  name: Type.Union([Name, Type.Null()], {
    description: 'Name that the user wants to be called; `null` if it is not set.',
    examples: ['Ada Lovelace'],
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
