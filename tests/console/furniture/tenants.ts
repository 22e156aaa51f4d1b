// Tenants with names as long and as hostile as possible, for the screens of system administrators.

import { expectStatus } from '../../harness/http.ts';
import type { Keywright } from '../../harness/keywright.ts';

/** Sets `globalThis.hacked` if a page interprets it as markup. */
export const PAYLOAD = `"'><img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;
/** A name has at most 100 characters. */
const NAME = `${PAYLOAD.slice(0, 52)}Donaudampfschifffahrtsgesellschaftsvertretung`;

export interface FurnishedTenants {
  /** Paths below the default tenant, by the name of the screen. */
  readonly screens: Readonly<Record<string, string>>;
}

export async function furnishTenants(keywright: Keywright): Promise<FurnishedTenants> {
  const tenant = await keywright.tenant('a-rather-long-slug-that-a-customer-has-chosen', {
    name: NAME,
  });
  const token = await keywright.adminToken();
  const body = {
    domains: [`${'subdomain.'.repeat(12)}example.com`],
    branding: { company_name: NAME, primary_color: '#ffe14d' },
  };
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await keywright.home.request('PATCH', path, { token, body }));
  return {
    screens: {
      tenants: '/tenants',
      'tenants, filtered': '/tenants?search=matches-nothing',
      'a new tenant': '/tenants/new',
      'a tenant': path,
      'domains of a tenant': `${path}?tab=domains`,
      'settings of a tenant': `${path}?tab=sessions`,
      'audit of a tenant': `${path}?tab=activity`,
      'setting up a tenant': `${path}/setup`,
      installation: '/installation',
      'an unknown tenant': '/tenants/org_nobody',
    },
  };
}
