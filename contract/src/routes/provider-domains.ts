import Type from 'typebox';
import { IdentityProviderIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { DomainName } from '../records/origins.ts';
import { ProviderDomain } from '../records/provider-domain.ts';
import { API_BASE, FOR_LOGINS, route } from '../route.ts';
import { closed } from '../shape.ts';

const BASE = `${API_BASE}/identity-providers/:provider_id/domains` as const;
const provider = { provider_id: pathId(IdentityProviderIdSchema) };
const params = Type.Object(provider);
const domainPath = Type.Object({
  ...provider,
  domain: Type.String({
    maxLength: 253,
    description: 'The domain.',
    examples: ['acme.example.com'],
  }),
});

export const addProviderDomain = route({
  id: 'providers.add_domain',
  method: 'POST',
  path: BASE,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Add a domain to an identity provider',
  description:
    'The domain takes effect after it is verified by the DNS record in the response, and while the provider is active. Users with an email address in the domain can then sign in only at this provider. Adding it again changes nothing.',
  params,
  body: closed({ domain: DomainName }),
  ok: { status: 201, body: ProviderDomain },
  errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'DOMAIN_OF_OTHER_PROVIDER', 'SCOPE_NOT_HELD'],
});

export const listProviderDomains = route({
  id: 'providers.list_domains',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:tenant' },
  summary: 'List the domains of an identity provider',
  description: 'In alphabetical order, at most 50.',
  params,
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(ProviderDomain) },
  errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
});

export const verifyProviderDomain = route({
  id: 'providers.verify_domain',
  method: 'POST',
  path: `${BASE}/:domain/verify`,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Verify a domain by its DNS record',
  description: 'A verified domain remains verified until you remove it.',
  params: domainPath,
  ok: { status: 200, body: ProviderDomain },
  errors: ['NOT_FOUND', 'DOMAIN_NOT_PROVEN', 'SCOPE_NOT_HELD'],
});

export const removeProviderDomain = route({
  id: 'providers.remove_domain',
  method: 'DELETE',
  path: `${BASE}/:domain`,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Remove a domain from an identity provider',
  description:
    'The users of the domain can sign in by other methods again. Takes effect with the next request, on every node.',
  params: domainPath,
  ok: {
    status: 200,
    body: Type.Object(
      {
        domain: DomainName,
        deleted: Type.Literal(true, { description: 'Always `true`: the domain was removed.' }),
      },
      { $id: 'RemovedProviderDomain', description: 'A removed domain.' },
    ),
  },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const PROVIDER_DOMAIN_ROUTES = [
  addProviderDomain,
  listProviderDomains,
  verifyProviderDomain,
  removeProviderDomain,
] as const;
