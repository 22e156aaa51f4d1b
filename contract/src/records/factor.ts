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
        'Type of the factor: `totp` (authenticator app, RFC 6238), `passkey` (WebAuthn), or `recovery_codes` (codes that replace a lost factor).',
      examples: ['totp'],
    }),
    name: nameOf('Display name.', 'Phone'),
    created_at: CreatedAt,
    confirmed_at: timestampOrNull(
      'When a code of the factor was first accepted; `null` if it is not confirmed. An unconfirmed factor has no effect and is deleted after an hour.',
    ),
    last_used_at: timestampOrNull(
      'Time of the last login with the factor; `null` if there was none.',
    ),
    is_suspended: Type.Boolean({
      description:
        'Whether the factor is suspended, which happens after 100 wrong codes in a row and lasts until the user uses another factor.',
    }),
    passkey: Type.Optional(PasskeyDetails),
  },
  { $id: 'Factor', description: 'A user’s second factor. Its secrets are never shown again.' },
);
export type FactorRecord = Static<typeof FactorRecord>;

const EXAMPLE_SECRET = 'NBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

export const TotpKey = Type.Object({
  secret: secret({
    description:
      'Key for the authenticator app, in base32. Not shown again after the factor is confirmed.',
    examples: [EXAMPLE_SECRET],
  }),
  uri: secret({
    description: 'The same key as a URI, for a QR code.',
    examples: [
      `otpauth://totp/Acme:ada%40example.com?issuer=Acme&secret=${EXAMPLE_SECRET}&algorithm=SHA1&digits=6&period=30`,
    ],
  }),
});

export const CreatedTotp = Type.Object(
  { ...FactorRecord.properties, ...TotpKey.properties },
  { $id: 'CreatedTotp', description: 'An unconfirmed authenticator, with its key.' },
);
export type CreatedTotp = Static<typeof CreatedTotp>;

/** 24 characters of Crockford's base32, in groups: 120 bits. */
const EXAMPLE_CODE = '3m8k2q-x7v1tz-0d9hwc-5r6nbj';

export const RecoveryCode = secret({
  minLength: 24,
  maxLength: 64,
  description: 'A recovery code: 24 characters. Hyphens and case are ignored.',
  examples: [EXAMPLE_CODE],
});

export const RecoveryCodes = Type.Array(RecoveryCode, {
  description: 'Ten recovery codes, shown only in this response.',
  examples: [[EXAMPLE_CODE]],
});

/** The code displayed by an authenticator app. */
export const TotpCode = secret({
  pattern: '^[0-9]{6}$',
  [EXPECTS]: '6 digits',
  description: 'The current code of the authenticator app.',
  examples: ['492039'],
});
