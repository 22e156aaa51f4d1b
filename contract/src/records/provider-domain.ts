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
      description: 'Name of the DNS record that verifies the domain.',
      examples: ['_keywright-challenge.acme.example.com'],
    }),
    txt_value: Type.String({
      description: 'Value of the DNS TXT record. Not a secret.',
      examples: ['keywright-domain=4mYzK8r1Xq0c7n2V5b9d3f'],
    }),
    is_verified: Type.Boolean({
      description: 'Whether the record was found, which verifies the domain.',
    }),
    verified_at: Type.Union(
      [Type.String({ format: 'date-time', examples: ['2026-01-15T10:30:00.000Z'] }), Type.Null()],
      { description: 'When the record was first found; `null` if it was never found.' },
    ),
    created_at: CreatedAt,
  },
  {
    $id: 'ProviderDomain',
    description: 'An email domain whose users sign in only at one provider.',
  },
);
export type ProviderDomain = Static<typeof ProviderDomain>;
