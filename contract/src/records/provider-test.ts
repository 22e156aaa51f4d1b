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
      'Why it would have been rejected, as in the audit log; null: it would have been accepted.',
      'id_token_aud',
    ),
    subject: orNull('The subject at the provider; null: the login was rejected.', '248289761001'),
    email: orNull('Their email address, normalized; null: none.', 'alice@example.com'),
    is_verified: Type.Boolean({ description: 'The provider calls the address verified.' }),
    is_authoritative: Type.Boolean({
      description: 'The address is verified, and the provider decides who has one in its domain.',
    }),
    has_mfa: Type.Boolean({ description: 'The provider says that it verified two factors.' }),
    tested_at: timestampOrNull(
      'When the provider counts as tested, by this test; null: it was not accepted, or settings that a login depends on have changed since it began.',
    ),
    claims: Type.Union(
      [
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Of the ID token, or of the profile.',
          examples: [{ sub: '248289761001', email: 'alice@example.com' }],
        }),
        Type.Null(),
      ],
      {
        description:
          'All claims except the nonce; null: the login was rejected, or they exceed 16 KiB.',
      },
    ),
  },
  { $id: 'ProviderTest', description: 'The result of a test login at an identity provider.' },
);
export type ProviderTest = Static<typeof ProviderTest>;
