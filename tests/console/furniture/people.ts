// Invitations and users.

import type { Keywright } from '../../harness/keywright.ts';
import { inviteWithout } from '../../harness/invitations.ts';
import type { TestTenant } from '../../harness/tenant.ts';

const LONG = 'donaudampfschifffahrtsgesellschaftsvertretung';

/** @returns paths below the tenant, by the name of the screen */
export async function furnishPeople(
  keywright: Keywright,
  tenant: TestTenant,
): Promise<Readonly<Record<string, string>>> {
  const invitation = await inviteWithout(keywright.database, tenant, {
    identifier: `${LONG}@${'subdomain.'.repeat(6)}example.com`,
    workspaces: ['ws_default'],
    name: `"'><img src=x onerror="globalThis.hacked=1">`,
  });
  return {
    invitations: '/invitations',
    'invitations, filtered': '/invitations?status=expired',
    'a new invitation': '/invitations/new',
    'an import': '/users/import',
    'an import of Firebase': '/users/import?from=firebase',
    'an invitation': `/invitations/${invitation}`,
  };
}
