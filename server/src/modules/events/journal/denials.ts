import type { OnDenial } from '../../../tenancy/router.ts';
import type { Notes } from './notes.ts';

/** Notes each 403 to an authenticated caller: who, which route, and the code. */
export function noteDenials(notes: Notes): OnDenial {
  return (tenant, caller, route, code) =>
    notes.note(tenant.id, caller, {
      action: 'auth.denied',
      target: { kind: 'route', id: route.id },
      outcome: 'denied',
      details: { code },
    });
}
