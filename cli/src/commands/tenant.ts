import { type ParsedOptions, operation, UsageError } from '../command.ts';
import { columns, plain } from '../layout.ts';
import type { Administrator } from './admin.ts';

const MAX_LIMIT = 10_000;

interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  readonly state: 'active' | 'inactive' | 'being_deleted';
  readonly created_at: string;
}

interface CreatedTenant extends Tenant {
  readonly administrator?: Administrator;
}

export const tenantCreate = operation<CreatedTenant>({
  name: 'tenant create',
  summary: 'create a tenant',
  details:
    'The tenant is ready immediately. With --admin-identifier, it has an administrator, whose password is ' +
    'generated and shown once.',
  options: {
    name: { value: 'NAME', help: 'display name', isRequired: true },
    slug: { value: 'SLUG', help: 'its ID is org_SLUG; default: derived from the name' },
    domain: { value: 'HOST', help: 'host name that selects it', isRepeatable: true },
    'admin-identifier': { value: 'ID', help: 'email address or phone number' },
  },
  examples: [
    "keywright tenant create --name 'Acme Ltd' --domain login.acme.example --admin-identifier root@acme.example",
  ],
  parameters: (options) => ({
    ...options.field('name', 'name'),
    ...options.field('slug', 'slug'),
    ...options.field('admin-identifier', 'admin_identifier'),
    domains: options.all('domain'),
  }),
  render: ({ id, name, domains, administrator }) => {
    const rows = [['  Domains', domains.length > 0 ? domains.join(', ') : 'none']];
    if (administrator) {
      rows.push(['  Administrator', administrator.identifier]);
      rows.push(['  Secret', `${administrator.secret}   (shown only once: save it)`]);
    }
    const shown = rows.map((row) => row.map(plain));
    return `Created the tenant ${id}, ${plain(name)}.\n${columns(shown)}`;
  },
});

export const tenantList = operation<{
  readonly tenants: readonly Tenant[];
  readonly next: string | null;
}>({
  name: 'tenant list',
  summary: 'list tenants',
  details:
    'Lists the oldest first, including tenants whose deletion is not complete. With --limit, the output ' +
    'shows how to get the next page.',
  options: {
    search: { value: 'TEXT', help: 'part of the name, the ID or a domain, case-insensitive' },
    limit: { value: 'N', help: 'maximum number of tenants; default: all' },
    after: { value: 'ID', help: 'ID of the tenant to start after' },
  },
  examples: ['keywright tenant list', 'keywright tenant list --search acme --limit 50 --json'],
  parameters: (options) => ({
    ...options.field('search', 'search'),
    ...options.field('after', 'after'),
    ...readLimit(options),
  }),
  render: ({ tenants, next }) => {
    if (tenants.length === 0) return 'No tenants found.';
    const rows = tenants.map(({ id, name, state, domains, created_at: at }) =>
      [id, state.replace('_', ' '), at.slice(0, 10), name, domains.join(', ')].map(plain),
    );
    const table = columns([['ID', 'STATE', 'CREATED', 'NAME', 'DOMAINS'], ...rows]);
    return next === null ? table : `${table}\nMore results: --after ${next}`;
  },
});

function readLimit(options: ParsedOptions): { readonly limit?: number } {
  const [text] = options.all('limit');
  if (text === undefined) return {};
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new UsageError(`--limit must be a number from 1 to ${MAX_LIMIT}.`);
  }
  return { limit };
}

interface ShownTenant extends Tenant {
  readonly issuer?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

export const tenantShow = operation<ShownTenant>({
  name: 'tenant show',
  summary: 'show a tenant and its settings',
  details: 'With --json, includes branding and messaging; their secrets are masked.',
  options: { tenant: { value: 'ID', help: 'such as org_acme', isRequired: true } },
  examples: ['keywright tenant show --tenant org_acme'],
  parameters: (options) => options.field('tenant', 'tenant'),
  render: ({ id, name, state, created_at: at, domains, issuer, config = {} }) => {
    const rows = [
      ['ID', id],
      ['Name', name],
      ['State', state.replace('_', ' ')],
      ['Created', at],
      ['Domains', domains.length > 0 ? domains.join(', ') : 'none'],
      ...(issuer === undefined ? [] : [['Issuer', issuer]]),
      ...Object.entries(config).map(([setting, value]) => [setting, JSON.stringify(value)]),
    ];
    return columns(rows.map((row) => row.map(plain)));
  },
});

export const tenantDelete = operation<{ readonly id: string }>({
  name: 'tenant delete',
  summary: 'permanently delete a tenant and everything in it',
  details:
    'Logins stop immediately, its tokens are rejected, and its data key is destroyed, which makes its ' +
    'encrypted data unreadable. Then its rows are deleted; if that is interrupted, the service resumes ' +
    'it. org_default cannot be deleted.',
  options: {
    tenant: { value: 'ID', help: 'such as org_acme', isRequired: true },
    confirm: { value: 'ID', help: 'the same ID again, as a confirmation', isRequired: true },
  },
  examples: ['keywright tenant delete --tenant org_acme --confirm org_acme'],
  parameters: (options) => {
    const [tenant] = options.all('tenant');
    const [confirmed] = options.all('confirm');
    if (tenant !== confirmed) {
      throw new UsageError('--confirm must equal --tenant. Nothing was deleted.');
    }
    return { tenant };
  },
  render: ({ id }) => `Deleted the tenant ${id}.`,
});
