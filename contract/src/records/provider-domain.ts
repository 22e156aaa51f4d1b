import Type, { type Static } from 'typebox';
import { IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { DomainName } from './origins.ts';
import { CreatedAt } from './record-fields.ts';

export const ProviderDomain = Type.Object(
  {
    domain: DomainName,
    tenant_id: TenantIdSchema,
    provider_id: IdentityProviderIdSchema,
    txt_name: Type.String({
      description: 'Name of the DNS record that proves the domain.',
      examples: ['_keywright-challenge.acme.example.com'],
    }),
    txt_value: Type.String({
      description: 'Text of the DNS record of the type TXT. Not a secret.',
      examples: ['keywright-domain=4mYzK8r1Xq0c7n2V5b9d3f'],
    }),
    is_verified: Type.Boolean({
      description: 'Whether the record was found, so that the domain counts.',
    }),
    verified_at: Type.Union(
      [Type.String({ format: 'date-time', examples: ['2026-01-15T10:30:00.000Z'] }), Type.Null()],
      { description: 'Time at which the record was first found; null: never.' },
    ),
    created_at: CreatedAt,
  },
  {
    $id: 'ProviderDomain',
    description: 'A domain of email addresses whose users log in at one provider only.',
  },
);
export type ProviderDomain = Static<typeof ProviderDomain>;
