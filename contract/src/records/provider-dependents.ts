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
          'How many of them could not log in in any other way that the tenant allows now. Absent above 10,000 identities.',
        examples: [3],
      }),
    ),
    domains: Type.Array(DomainName, {
      description: 'The proven domains whose users log in there only, in alphabetical order.',
    }),
  },
  { $id: 'ProviderDependents', description: 'What would be deleted with an identity provider.' },
);
export type ProviderDependents = Static<typeof ProviderDependents>;
