import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { FactorIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';
import { CreatedAt, nameOf, timestampOrNull } from './record-fields.ts';
import { PasskeyDetails } from './passkey.ts';
import { secret } from './tokens.ts';

export const FACTOR_TYPES = ['totp', 'passkey', 'recovery_codes'] as const;

export const FactorRecord = Type.Object(
  {
    id: FactorIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    type: Type.Enum([...FACTOR_TYPES], {
      description:
        'Type of the factor: `totp` an authenticator app (RFC 6238), `passkey` a passkey (WebAuthn), `recovery_codes` codes that replace a lost one.',
      examples: ['totp'],
    }),
    name: nameOf('Display name.', 'Phone'),
    created_at: CreatedAt,
    confirmed_at: timestampOrNull(
      'When a code of it was first accepted; null: it does not count yet, and is deleted after an hour.',
    ),
    last_used_at: timestampOrNull('When it was last used to log in; null: never.'),
    is_suspended: Type.Boolean({
      description: 'Suspended after 100 wrong codes in a row, until another factor is used.',
    }),
    passkey: Type.Optional(PasskeyDetails),
  },
  { $id: 'Factor', description: 'A second factor of a user. Its secrets are never shown again.' },
);
export type FactorRecord = Static<typeof FactorRecord>;

const EXAMPLE_SECRET = 'NBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

export const TotpKey = Type.Object({
  secret: secret({
    description: 'The key for the authenticator app, in base32; never shown once it is confirmed.',
    examples: [EXAMPLE_SECRET],
  }),
  uri: secret({
    description: 'The same for a QR code.',
    examples: [
      `otpauth://totp/Acme:ada%40example.com?issuer=Acme&secret=${EXAMPLE_SECRET}&algorithm=SHA1&digits=6&period=30`,
    ],
  }),
});

export const CreatedTotp = Type.Object(
  { ...FactorRecord.properties, ...TotpKey.properties },
  { $id: 'CreatedTotp', description: 'An authenticator that is not confirmed yet, with its key.' },
);
export type CreatedTotp = Static<typeof CreatedTotp>;

/** 24 characters of Crockford's base32, in groups: 120 bits. */
const EXAMPLE_CODE = '3m8k2q-x7v1tz-0d9hwc-5r6nbj';

export const RecoveryCode = secret({
  minLength: 24,
  maxLength: 64,
  description: 'A recovery code: 24 characters, with or without hyphens, in any case.',
  examples: [EXAMPLE_CODE],
});

export const RecoveryCodes = Type.Array(RecoveryCode, {
  description: 'Ten codes, shown in this response only.',
  examples: [[EXAMPLE_CODE]],
});

/** The code displayed by an authenticator app. */
export const TotpCode = secret({
  pattern: '^[0-9]{6}$',
  [EXPECTS]: '6 digits',
  description: 'The code that the authenticator app shows.',
  examples: ['492039'],
});
