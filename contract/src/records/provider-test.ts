import Type, { type Static } from 'typebox';
import { IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { timestampOrNull } from './record-fields.ts';

const orNull = (description: string, example: string) =>
  Type.Union([Type.String({ examples: [example] }), Type.Null()], { description });

export const ProviderTest = Type.Object(
  {
    provider_id: IdentityProviderIdSchema,
    tenant_id: TenantIdSchema,
    accepted: Type.Boolean({ description: 'Whether the login would have been accepted.' }),
    reason: orNull(
      'Why the login would have been rejected, as in the audit log; `null` if it would have been accepted.',
      'id_token_aud',
    ),
    subject: orNull(
      'The user’s subject at the provider; `null` if the login was rejected.',
      '248289761001',
    ),
    email: orNull(
      'The user’s email address, normalized; `null` if there is none.',
      'alice@example.com',
    ),
    is_verified: Type.Boolean({
      description: 'Whether the provider reports the email address as verified.',
    }),
    is_authoritative: Type.Boolean({
      description:
        'Whether the email address is verified and the provider is authoritative for its domain.',
    }),
    has_mfa: Type.Boolean({
      description: 'Whether the provider reports that it verified two factors.',
    }),
    tested_at: timestampOrNull(
      'When this test marked the provider as tested; `null` if the login was not accepted, or if settings that a login depends on have changed since the test started.',
    ),
    claims: Type.Union(
      [
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Source of the claims: the ID token or the profile.',
          examples: [{ sub: '248289761001', email: 'alice@example.com' }],
        }),
        Type.Null(),
      ],
      {
        description:
          'All claims except the nonce; `null` if the login was rejected or the claims exceed 16 KiB.',
      },
    ),
  },
  { $id: 'ProviderTest', description: 'The result of a test login at an identity provider.' },
);
export type ProviderTest = Static<typeof ProviderTest>;
