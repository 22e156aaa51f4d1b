import Type from 'typebox';
import { pathId, TenantIdSchema } from '../ids.ts';
import { howMany, listOf, listQuery } from '../list.ts';
import {
  TenantBrandingPatch,
  TenantConfigPatch,
  TenantMessagingPatch,
  TenantRecord,
} from '../records/tenant.ts';
import { API_BASE, route } from '../route.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';
import { booleanText, deleted, displayName, DRY_RUN, Slug, SORT_BY_AGE } from './fields.ts';
import { EXPECTS } from '../expectation.ts';

const EXAMPLE_TENANT = {
  name: 'Acme Ltd',
  slug: 'acme',
  domains: ['acme.example.com'],
  config: { session_timeout: 1800, allow_registration: false },
};
const FORCE = booleanText('With `true`, makes the change even if users’ passkeys stop working.');
const tenantPath = Type.Object({ tenant_id: pathId(TenantIdSchema) });
const Domain = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'A host name, such as `acme.example.com`.',
  examples: ['acme.example.com'],
});
const Domains = Type.Array(Domain, {
  maxItems: 64,
  description: 'Host names of the tenant. Each belongs to one tenant only.',
});
/** Without query, fragment and trailing slash: verifiers compare issuers byte by byte. */
const ISSUER =
  '^https?://[^\\s/?#\\p{Cc}\\p{Cs}]+(/[^\\s?#\\p{Cc}\\p{Cs}]*[^\\s?#/\\p{Cc}\\p{Cs}])?$';

export const listTenants = route({
  id: 'tenants.list',
  method: 'GET',
  path: `${API_BASE}/tenants`,
  access: 'system',
  summary: 'List tenants',
  description:
    'Returns the tenants of the installation, newest first. If you send several filters, all of them must match.',
  query: closed({
    ...listQuery,
    sort: SORT_BY_AGE,
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        ...LINE_OF_TEXT,
        description: 'Any part of the name, the ID or a domain. Case-insensitive.',
      }),
    ),
    is_active: Type.Optional(booleanText('Only active or only inactive tenants.')),
  }),
  ok: { status: 200, body: listOf(TenantRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createTenant = route({
  id: 'tenants.create',
  method: 'POST',
  path: `${API_BASE}/tenants`,
  access: 'system',
  summary: 'Create a tenant',
  description:
    'The tenant is ready to use, with a data key, a signing key, `ws_default` and the built-in roles.',
  maxBodyBytes: 64 * 1024,
  body: closed(
    {
      name: displayName('Acme Ltd'),
      slug: Type.Optional(Slug),
      domains: Type.Optional(Domains),
      config: Type.Optional(TenantConfigPatch),
      branding: Type.Optional(TenantBrandingPatch),
      messaging: Type.Optional(TenantMessagingPatch),
    },
    { examples: [EXAMPLE_TENANT] },
  ),
  idempotent: true,
  ok: { status: 201, body: TenantRecord },
  errors: ['VALIDATION_FAILED', 'SLUG_TAKEN', 'DOMAIN_TAKEN', 'CLAIM_RESERVED', 'METHOD_NOT_READY'],
});

export const getTenant = route({
  id: 'tenants.get',
  method: 'GET',
  path: `${API_BASE}/tenants/:tenant_id`,
  access: { scope: 'read:tenant' },
  summary: 'Get a tenant',
  description: 'Returns the caller’s own tenant. A system administrator can get any tenant.',
  params: tenantPath,
  ok: { status: 200, body: TenantRecord },
  errors: ['NOT_FOUND'],
});

/** Effects that a change of a tenant has on users. */
const TENANT_EFFECTS = [
  'password_kept',
  'token_kept',
  'expiry_kept',
  'token_rejected',
  'issuer_rejected',
  'signed_out',
  'passkey_lost',
  'factor_to_add',
  'factor_missing',
  'factor_step_up',
  'email_to_verify',
  'email_missing',
  'verification_step_up',
  'method_missing',
  'method_step_up',
] as const;
export type TenantEffect = (typeof TENANT_EFFECTS)[number];

/** The effect that a change would have, without making it. */
const DryRun = Type.Object(
  {
    dry_run: Type.Literal(true, { description: 'Always `true`: nothing was changed.' }),
    tenant: TenantRecord,
    affected: Type.Array(
      Type.Object({
        setting: Type.String({
          description: 'Name of the setting.',
          examples: ['session_timeout'],
        }),
        users: Type.Integer({ description: 'Number of affected users.', examples: [12] }),
        code: Type.Enum([...TENANT_EFFECTS], {
          description: 'Code of the effect. It does not change between versions.',
          examples: ['token_kept'],
        }),
        effect: Type.String({
          description: 'Effect on these users, in English.',
          examples: ['the next refresh or login follows the setting'],
        }),
      }),
      { description: 'Users who would be affected by the change.' },
    ),
  },
  { $id: 'TenantDryRun', description: 'The effect of a change that was not made.' },
);

export const updateTenant = route({
  id: 'tenants.update',
  method: 'PATCH',
  path: `${API_BASE}/tenants/:tenant_id`,
  access: {
    scope: 'write:tenant',
    logins: {
      for: '`messaging`, `domains`, `issuer`, a `name` or `company_name` that contains a URL, a host name or an email address, and the settings whose schema requires it (`x-required-scope`)',
      instead: true,
    },
  },
  summary: 'Update a tenant',
  description:
    '`config`, `branding` and `messaging` are merged field by field. `null` resets a setting to its default, or removes it if it has none. Only a system administrator can set `domains`, `is_active` and `issuer`. With `dry_run=true`, returns the effects and changes nothing. While users have passkeys, changing the domain that they are bound to is rejected unless you send `force=true`.',
  params: tenantPath,
  query: closed({ dry_run: Type.Optional(DRY_RUN), force: Type.Optional(FORCE) }),
  body: closed(
    {
      name: Type.Optional(displayName('Acme Ltd')),
      config: Type.Optional(TenantConfigPatch),
      branding: Type.Optional(TenantBrandingPatch),
      messaging: Type.Optional(TenantMessagingPatch),
      domains: Type.Optional(Domains),
      is_active: Type.Optional(
        Type.Boolean({
          description:
            'Whether the tenant is active. Every request to an inactive tenant fails with 403.',
        }),
      ),
      issuer: Type.Optional(
        Type.Union(
          [
            Type.String({
              pattern: ISSUER,
              [EXPECTS]:
                'an https or http URL without query, fragment and trailing slash, such as https://id.example.com',
              maxLength: 512,
            }),
            Type.Null(),
          ],
          { description: 'The `iss` of the tenant’s tokens; `null` for the default.' },
        ),
      ),
    },
    { minProperties: 1, examples: [{ config: { session_timeout: 1800 } }] },
  ),
  ok: { status: 200, body: Type.Union([TenantRecord, DryRun]) },
  errors: [
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'DOMAIN_TAKEN',
    'CLAIM_RESERVED',
    'SYSTEM_ADMINISTRATOR_REQUIRED',
    'DEFAULT_TENANT_PROTECTED',
    'METHOD_NOT_READY',
    'IN_USE',
    'SCOPE_NOT_HELD',
  ],
});

const TenantDependents = Type.Object(
  {
    tenant_id: TenantIdSchema,
    users: howMany('users'),
    sessions: howMany('live sessions'),
    workspaces: howMany('workspaces'),
    agents: howMany('agents'),
    api_keys: howMany('API keys that were not revoked'),
    clients: howMany('OAuth clients'),
    webhooks: howMany('webhooks'),
    audit_entries: howMany('entries of the audit log'),
  },
  { $id: 'TenantDependents', description: 'The contents of a tenant, in numbers.' },
);

export const getTenantDependents = route({
  id: 'tenants.dependents',
  method: 'GET',
  path: `${API_BASE}/tenants/:tenant_id/dependents`,
  access: 'system',
  summary: 'Count the dependents of a tenant',
  description: 'Returns what would be deleted with the tenant. 10,001 means more than 10,000.',
  params: tenantPath,
  ok: { status: 200, body: TenantDependents },
  errors: ['NOT_FOUND'],
});

export const deleteTenant = route({
  id: 'tenants.delete',
  method: 'DELETE',
  path: `${API_BASE}/tenants/:tenant_id`,
  access: 'system',
  fresh: {},
  summary: 'Delete a tenant',
  description:
    'Irreversible. The tenant’s data key is destroyed before the response, so nothing encrypted with it can be decrypted again. Large tenants are deleted in the background.',
  params: tenantPath,
  ok: { status: 200, body: deleted(TenantIdSchema) },
  errors: ['NOT_FOUND', 'DEFAULT_TENANT_PROTECTED'],
});
