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
  summary: 'Send the users of a domain to a provider',
  description:
    'The domain counts once it was proven by the DNS record in the response, and while the provider is active. From then on users with an email address of it log in at this provider only. Adding it again changes nothing.',
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
  summary: 'List the domains whose users a provider logs in',
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
  summary: 'Look for the DNS record that proves a domain',
  description: 'A proven domain remains proven until it is removed.',
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
  summary: 'Let the users of a domain log in by other methods again',
  description: 'Takes effect with the next request, on every node.',
  params: domainPath,
  ok: {
    status: 200,
    body: Type.Object(
      {
        domain: DomainName,
        deleted: Type.Literal(true, { description: 'Always `true`: the domain no longer counts.' }),
      },
      { $id: 'RemovedProviderDomain', description: 'A domain that no longer counts.' },
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
