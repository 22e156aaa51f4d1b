import type { Area } from './area.ts';
import { breaksOfCode, breaksOfSql, type Break } from './breaks.ts';
import { OAUTH_AREAS } from './oauth-areas.ts';

const JOURNAL = 'server/src/modules/events/journal';
const ISOLATION = 'tests/isolation';

export const AREAS: Readonly<Record<string, Area>> = {
  'audit-verification': {
    sources: [
      `${JOURNAL}/chain.ts`,
      `${JOURNAL}/findings.ts`,
      `${JOURNAL}/log-lines.ts`,
      `${JOURNAL}/mac.ts`,
      `${JOURNAL}/mac-check.ts`,
      `${JOURNAL}/verification.ts`,
    ],
    tests: [
      'cli/src/audit.test.ts',
      'cli/src/audit-checkpoints.test.ts',
      'cli/src/audit-forgeries.test.ts',
      `${JOURNAL}/mac.test.ts`,
      `${JOURNAL}/verification.test.ts`,
    ],
  },
  grants: {
    sources: [
      'server/src/modules/tokens/grants/grant-rules.ts',
      'server/src/modules/tokens/grants/grants-store.ts',
    ],
    functions: ['kw_live_grants'],
    tests: [
      `${ISOLATION}/mixed-batches.test.ts`,
      `${ISOLATION}/database-functions.test.ts`,
      `${ISOLATION}/batches.test.ts`,
      'tests/races/ended-beside-living.test.ts',
      'server/src/modules/machines/agents/agents.test.ts',
      'server/src/modules/machines/agents/delegations.test.ts',
      'server/src/modules/authentication/bearer/verify-token.test.ts',
    ],
  },
  invitations: {
    sources: [
      'server/src/modules/identity/invitations/invitation-acceptance.ts',
      'server/src/modules/identity/roles/deferred-grants.ts',
    ],
    tests: [
      'server/src/modules/identity/invitations/accept.test.ts',
      'server/src/modules/identity/invitations/opening.test.ts',
      'server/src/modules/identity/invitations/refused.test.ts',
      'tests/races/invitations.test.ts',
    ],
  },
  'mixed-batches': {
    sources: [],
    functions: [
      'kw_start_logins',
      'kw_find_api_keys',
      'kw_find_users',
      'kw_live_grants',
      'kw_finish_logins',
      'kw_refresh_sessions',
      'kw_effective_permissions',
    ],
    tests: [`${ISOLATION}/mixed-batches.test.ts`],
  },
  tenancy: {
    sources: [
      'server/src/tenancy/authorization.ts',
      'server/src/tenancy/changes.ts',
      'server/src/tenancy/directory.ts',
      'server/src/tenancy/gate.ts',
      'server/src/tenancy/resolve.ts',
      'server/src/tenancy/system.ts',
    ],
    tests: [
      'server/src/tenancy/own-changes.test.ts',
      'server/src/tenancy/changes.test.ts',
      'server/src/tenancy/tenant-loading.test.ts',
      `${ISOLATION}/tenant-resolution.test.ts`,
      `${ISOLATION}/separation.test.ts`,
      `${ISOLATION}/isolation-check.test.ts`,
    ],
  },
  authentication: {
    sources: [
      'server/src/modules/authentication/bearer/bearer-service.ts',
      'server/src/modules/authentication/bearer/bearer-service.ts',
      'server/src/modules/authentication/login/prove.ts',
      'server/src/modules/authentication/login/service.ts',
      'server/src/modules/authentication/login/start.ts',
    ],
    tests: [
      'server/src/modules/authentication/bearer/verify-token.test.ts',
      'server/src/modules/authentication/login/login.test.ts',
      'server/src/modules/authentication/login/throttle.test.ts',
      'tests/conformance/token-attacks.test.ts',
    ],
  },
  'api-keys': {
    sources: [
      'server/src/modules/machines/api-keys/api-key-authentication.ts',
      'server/src/modules/machines/api-keys/api-key-authentication.ts',
      'server/src/modules/machines/api-keys/api-key-authentication.ts',
      'server/src/platform/crypto/checked-secret.ts',
    ],
    functions: ['kw_find_api_keys'],
    tests: [
      'server/src/modules/machines/api-keys/allowed-ips.test.ts',
      'server/src/modules/machines/api-keys/bearer.test.ts',
      'server/src/modules/machines/api-keys/rotation.test.ts',
      'server/src/modules/machines/api-keys/secret.test.ts',
      'server/src/modules/machines/api-keys/records.test.ts',
      'server/src/modules/machines/agents/escalation.test.ts',
    ],
  },
  egress: {
    sources: [
      'server/src/platform/egress/addresses.ts',
      'server/src/platform/egress/allow.ts',
      'server/src/platform/egress/guard.ts',
      'server/src/platform/egress/names.ts',
    ],
    tests: [
      'server/src/platform/egress/addresses.test.ts',
      'server/src/platform/egress/guard.test.ts',
      'server/src/platform/egress/hostile.test.ts',
      'server/src/platform/egress/names.test.ts',
      'server/src/platform/egress/egress.test.ts',
      'server/src/platform/egress/tls.test.ts',
      'server/src/platform/config.test.ts',
    ],
  },
  pages: {
    sources: [
      'server/src/tenancy/pages.ts',
      'server/src/platform/http/pages/cookies.ts',
      'server/src/platform/http/pages/form-token.ts',
      'server/src/platform/http/pages/headers.ts',
      'server/src/platform/http/pages/html.ts',
      'server/src/platform/http/pages/same-origin.ts',
    ],
    tests: ['server/src/platform/http/pages/pages.test.ts', `${ISOLATION}/pages.test.ts`],
  },
  'client-proofs': {
    sources: [
      'server/src/modules/tokens/proofs/proof-rules.ts',
      'server/src/modules/tokens/proofs/proof-rules.ts',
      'server/src/modules/tokens/proofs/assertions.ts',
    ],
    tests: [
      'server/src/modules/tokens/proofs/issuer-keys.test.ts',
      'server/src/modules/tokens/proofs/proof-rules.test.ts',
    ],
  },
  'sdk-receivers': {
    sources: [
      'sdk/src/resource/metadata.ts',
      'sdk/src/resource/protected-resource.ts',
      'sdk/src/signals/poll.ts',
      'sdk/src/signals/receiver.ts',
      'sdk/src/signals/signal.ts',
    ],
    tests: [
      'sdk/test/signals.test.ts',
      'sdk/test/protected-resource.test.ts',
      'sdk/test/resource-adapters.test.ts',
    ],
  },
  ...OAUTH_AREAS,
  'database-functions': {
    sources: [],
    functions: ['kw_'],
    tests: [
      `${ISOLATION}/database-functions.test.ts`,
      `${ISOLATION}/batches.test.ts`,
      `${ISOLATION}/mixed-batches.test.ts`,
      'server/src/modules/tokens/sessions/refresh.test.ts',
      'server/src/modules/operations/tenants/lifecycle.test.ts',
      'server/src/modules/machines/api-keys/bearer.test.ts',
      'tests/races/login.test.ts',
    ],
  },
};

export interface Tree {
  read(file: string): string;
  /** The file of each database function, by its name. */
  readonly functions: ReadonlyMap<string, string>;
}

/** Every break of an area. */
export function breaksOf({ sources, functions = [] }: Area, tree: Tree): Break[] {
  const ofSql = [...tree.functions]
    .filter(([name]) => functions.some((prefix) => name.startsWith(prefix)))
    .flatMap(([, file]) => breaksOfSql(file, tree.read(file)));
  return [...sources.flatMap((file) => breaksOfCode(file, tree.read(file))), ...ofSql];
}
