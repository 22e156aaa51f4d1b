import Type, { type Static } from 'typebox';
import { IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { timestampOrNull } from './record-fields.ts';

const orNull = (description: string, example: string) =>
  Type.Union([Type.String({ examples: [example] }), Type.Null()], { description });

export const ProviderTest = Type.Object(
  {
    provider_id: IdentityProviderIdSchema,
    tenant_id: TenantIdSchema,
    accepted: Type.Boolean({ description: 'Whether the login would have been believed.' }),
    reason: orNull('Why not, as the audit log says it; null: it would have been.', 'id_token_aud'),
    subject: orNull('Who they are there; null: it was not believed.', '248289761001'),
    email: orNull('Their email address, normalised; null: none.', 'alice@example.com'),
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
      { description: 'All claims that came; null: none were believed, or over 16 KiB.' },
    ),
  },
  { $id: 'ProviderTest', description: 'The result of a test login at an identity provider.' },
);
export type ProviderTest = Static<typeof ProviderTest>;
