import { operation } from '../command.ts';
import { columns, plain } from '../layout.ts';
import type { Administrator } from './admin.ts';

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

export const tenantList = operation<{ readonly tenants: readonly Tenant[] }>({
  name: 'tenant list',
  summary: 'lists the tenants',
  details: 'Those that are being deleted are shown until the last of their rows is gone.',
  options: {},
  examples: ['keywright tenant list', 'keywright tenant list --json'],
  given: () => ({}),
  render: ({ tenants }) => {
    if (tenants.length === 0) return 'There are no tenants: no service has started yet.';
    const rows = tenants.map(({ id, name, state, domains, created_at: at }) =>
      [id, state.replace('_', ' '), at.slice(0, 10), name, domains.join(', ')].map(plain),
    );
    return columns([['ID', 'STATE', 'CREATED', 'NAME', 'DOMAINS'], ...rows]);
  },
});
