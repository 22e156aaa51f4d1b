import { type GivenOptions, operation, UsageError } from '../command.ts';
import { columns, plain } from '../layout.ts';
import type { Administrator } from './admin.ts';

/** Of one page. */
const MOST_LISTED = 10_000;

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
  summary: 'creates a tenant',
  details:
    'The tenant is complete at once. With --admin-identifier it has an administrator of its own, whose ' +
    'secret is drawn and shown once.',
  options: {
    name: { value: 'NAME', help: 'its name, for people', isRequired: true },
    slug: { value: 'SLUG', help: 'its id is org_SLUG; default: made from the name' },
    domain: { value: 'HOST', help: 'a host name that leads to it', isRepeatable: true },
    'admin-identifier': { value: 'ID', help: 'e-mail address or phone number' },
  },
  examples: [
    "keywright tenant create --name 'Acme Ltd' --domain login.acme.example --admin-identifier root@acme.example",
  ],
  given: (options) => ({
    ...options.field('name', 'name'),
    ...options.field('slug', 'slug'),
    ...options.field('admin-identifier', 'admin_identifier'),
    domains: options.all('domain'),
  }),
  render: ({ id, name, domains, administrator }) => {
    const rows = [['  Domains', domains.length > 0 ? domains.join(', ') : 'none']];
    if (administrator) {
      rows.push(['  Administrator', administrator.identifier]);
      rows.push(['  Secret', `${administrator.secret}   (shown only now: keep it)`]);
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
  summary: 'lists the tenants',
  details:
    'The oldest first. Those that are being deleted are shown until the last of their rows is gone. With ' +
    '--limit, the answer says where the next page begins.',
  options: {
    search: { value: 'TEXT', help: 'part of the name, the id or a domain, in any case' },
    limit: { value: 'N', help: 'how many at most; default: all' },
    after: { value: 'ID', help: 'those after this tenant' },
  },
  examples: ['keywright tenant list', 'keywright tenant list --search acme --limit 50 --json'],
  given: (options) => ({
    ...options.field('search', 'search'),
    ...options.field('after', 'after'),
    ...readLimit(options),
  }),
  render: ({ tenants, next }) => {
    if (tenants.length === 0) return 'There are no such tenants.';
    const rows = tenants.map(({ id, name, state, domains, created_at: at }) =>
      [id, state.replace('_', ' '), at.slice(0, 10), name, domains.join(', ')].map(plain),
    );
    const table = columns([['ID', 'STATE', 'CREATED', 'NAME', 'DOMAINS'], ...rows]);
    return next === null ? table : `${table}\nThere are more: --after ${next}`;
  },
});

function readLimit(options: GivenOptions): { readonly limit?: number } {
  const [text] = options.all('limit');
  if (text === undefined) return {};
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_LISTED) {
    throw new UsageError(`--limit takes a number from 1 to ${MOST_LISTED}.`);
  }
  return { limit };
}

interface ShownTenant extends Tenant {
  readonly issuer?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

export const tenantShow = operation<ShownTenant>({
  name: 'tenant show',
  summary: 'shows a tenant and its settings',
  details: 'With --json, its branding and messaging too; secrets in them are masked.',
  options: { tenant: { value: 'ID', help: 'such as org_acme', isRequired: true } },
  examples: ['keywright tenant show --tenant org_acme'],
  given: (options) => options.field('tenant', 'tenant'),
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
  summary: 'deletes a tenant and everything in it, for good',
  details:
    'At once nobody can log in to it, its tokens are rejected, and its data key is destroyed, so that ' +
    'nothing encrypted for it can be read again. Then its rows are deleted; if that is interrupted, the ' +
    'service goes on with it. org_default cannot be deleted.',
  options: {
    tenant: { value: 'ID', help: 'such as org_acme', isRequired: true },
    confirm: { value: 'ID', help: 'the same id once more', isRequired: true },
  },
  examples: ['keywright tenant delete --tenant org_acme --confirm org_acme'],
  given: (options) => {
    const [tenant] = options.all('tenant');
    const [confirmed] = options.all('confirm');
    if (tenant !== confirmed) {
      throw new UsageError('--confirm has to be the same id as --tenant. Nothing was deleted.');
    }
    return { tenant };
  },
  render: ({ id }) => `Deleted the tenant ${id}.`,
});
