import { type Break, type DirectedBreaks, lineAt } from './breaks.ts';
import type { Tree } from './areas.ts';
import { API_KEYS } from './directed/api-keys.ts';
import { AUDIT_VERIFICATION } from './directed/audit-verification.ts';
import { AUTHENTICATION } from './directed/authentication.ts';
import { CLIENT_PROOFS } from './directed/client-proofs.ts';
import { DATABASE_FUNCTIONS } from './directed/database-functions.ts';
import { PROOFS_OF_POSSESSION } from './directed/dpop.ts';
import { DEVICE_LOGINS } from './directed/devices.ts';
import { EGRESS } from './directed/egress.ts';
import { EXCHANGE } from './directed/exchange.ts';
import { FAPI } from './directed/fapi.ts';
import { GRANTS } from './directed/grants.ts';
import { IDENTITY_ASSERTIONS } from './directed/identity-assertions.ts';
import { IN_APP_LOGINS } from './directed/in-app-logins.ts';
import { INVITATIONS } from './directed/invitations.ts';
import { MIXED_BATCHES } from './directed/mixed-batches.ts';
import { PAGES } from './directed/pages.ts';
import { PKCE } from './directed/pkce.ts';
import { REGISTRATIONS } from './directed/registration.ts';
import { SHARED_SIGNALS } from './directed/signals.ts';
import { SIGNED_REQUESTS } from './directed/signed-requests.ts';
import { TENANCY } from './directed/tenancy.ts';

const DIRECTED: Readonly<Record<string, readonly DirectedBreaks[]>> = {
  'audit-verification': AUDIT_VERIFICATION,
  grants: GRANTS,
  'mixed-batches': MIXED_BATCHES,
  tenancy: TENANCY,
  authentication: AUTHENTICATION,
  'api-keys': API_KEYS,
  egress: EGRESS,
  pages: PAGES,
  'client-proofs': CLIENT_PROOFS,
  dpop: PROOFS_OF_POSSESSION,
  'signed-requests': SIGNED_REQUESTS,
  pkce: PKCE,
  devices: DEVICE_LOGINS,
  exchange: EXCHANGE,
  fapi: FAPI,
  registration: REGISTRATIONS,
  signals: SHARED_SIGNALS,
  'identity-assertions': IDENTITY_ASSERTIONS,
  'in-app-logins': IN_APP_LOGINS,
  'database-functions': DATABASE_FUNCTIONS,
  invitations: INVITATIONS,
};

/** The directed breaks of an area. @throws when one no longer applies */
export function directedBreaksOf(area: string, tree: Tree): Break[] {
  return (DIRECTED[area] ?? []).flatMap(({ source, tests, breaks }) => {
    const file = fileOf(source, tree);
    const whole = tree.read(file);
    return breaks.map(([text, replacement, what]): Break => {
      const start = whole.indexOf(text);
      const end = start + text.length;
      if (start < 0 || whole.includes(text, end))
        throw new Error(`${source} does not contain exactly once: ${text}`);
      return { file, line: lineAt(whole, start), what, start, end, replacement, by: tests };
    });
  });
}

function fileOf(source: string, tree: Tree): string {
  if (source.includes('/')) return source;
  const file = tree.functions.get(source);
  if (file === undefined) throw new Error(`Unknown database function ${source}.`);
  return file;
}
