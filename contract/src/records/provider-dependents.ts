import Type, { type Static } from 'typebox';
import { IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { howMany } from '../list.ts';
import { DomainName } from './origins.ts';

export const ProviderDependents = Type.Object(
  {
    provider_id: IdentityProviderIdSchema,
    tenant_id: TenantIdSchema,
    identities: howMany('users with an identity there'),
    without_other_way: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Number of those users who could not sign in with any other method that the tenant allows now. Absent above 10,000 identities.',
        examples: [3],
      }),
    ),
    domains: Type.Array(DomainName, {
      description:
        'The verified domains whose users sign in only at this provider, in alphabetical order.',
    }),
  },
  {
    $id: 'ProviderDependents',
    description: 'The records that would be deleted together with an identity provider.',
  },
);
export type ProviderDependents = Static<typeof ProviderDependents>;
