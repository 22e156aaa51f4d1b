import type { FastifyInstance } from 'fastify';
import { databaseAnswers } from './platform/db/probe.ts';
import { VERSION } from './platform/version.ts';
import type { TenantDirectory } from './tenancy/directory.ts';
import { createRouter } from './tenancy/router.ts';
import { bindAgentRoutes } from './modules/machines/agents/index.ts';
import {
  bindApiKeyRoutes,
  createApiKeys,
  createFindKey,
} from './modules/machines/api-keys/index.ts';
import {
  bindAuthenticationRoutes,
  createAuthenticate,
  createFindActive,
  createReadToken,
  createVerifyCredential,
  createVerifyToken,
} from './modules/authentication/bearer/index.ts';
import { bindAuthorizationRoutes } from './modules/access/evaluation/index.ts';
import { bindDelegationRoutes } from './modules/machines/delegations/index.ts';
import { createReadRepeatable } from './modules/operations/idempotency/index.ts';
import { bindJournalRoutes, noteDenials } from './modules/events/journal/index.ts';
import { bindLoginRoutes } from './modules/authentication/login/index.ts';
import { bindMeRoutes } from './modules/identity/me/index.ts';
import { bindReferenceRoutes } from './modules/operations/reference/index.ts';
import { bindSessionRoutes, createRefresh } from './modules/tokens/sessions/index.ts';
import { bindServiceStateRoutes, type Drain } from './modules/operations/health/index.ts';
import { bindKeySetRoutes, bindSigningKeyRoutes } from './modules/tokens/signing-keys/index.ts';
import { createIsAlive } from './modules/tokens/grants/index.ts';
import { bindDependentRoutes } from './modules/access/dependents/index.ts';
import { bindRoleRoutes } from './modules/identity/roles/index.ts';
import { createTokenBits, type StatusLists } from './modules/tokens/status-lists/index.ts';
import { bindImpersonationRoutes } from './modules/authentication/impersonation/index.ts';
import { bindTenantRoutes } from './modules/operations/tenants/index.ts';
import { bindMetadataRoutes, bindTokenEndpoint } from './modules/oauth/token-endpoint/index.ts';
import { createAccessTokens, createInspectToken } from './modules/tokens/access-tokens/index.ts';
import { bindUserRoutes, createGetUserById } from './modules/identity/users/index.ts';
import { bindWebhookRoutes } from './modules/events/webhooks/index.ts';
import { bindWorkspaceRoutes } from './modules/identity/workspaces/index.ts';
import type { Foundation } from './foundation.ts';

interface Surroundings {
  readonly drain: Drain;
  readonly directory: TenantDirectory;
  readonly status: StatusLists;
  readonly baseUrl: () => string;
}

/** Wires the modules together, and binds every route to its handler. */
export function bindRoutes(
  server: FastifyInstance,
  foundation: Foundation,
  { drain, directory, status, baseUrl }: Surroundings,
): void {
  const { database, clock, gate, system, dataKeys, keyUses } = foundation;
  const { keys, notes, sealing } = foundation;
  const read = createReadToken(createAccessTokens(keys), createIsAlive(gate, clock), clock);
  const verify = createVerifyToken(read);
  const apiKeys = createApiKeys(createFindKey(gate, clock), keyUses.note);
  const router = createRouter(
    server,
    directory,
    createAuthenticate(read, apiKeys),
    noteDenials(notes),
  );
  const bits = createTokenBits(gate, clock);
  const readRepeatable = createReadRepeatable(dataKeys);
  bindLoginRoutes(router, { ...foundation, bits });
  bindSessionRoutes(router, gate, clock, createRefresh({ gate, keys, bits, clock }));
  const findActive = createFindActive(createVerifyCredential(verify, apiKeys));
  bindAuthenticationRoutes(router, findActive);
  const inspect = createInspectToken(keys);
  bindAuthorizationRoutes(router, { gate, clock, findActive, inspect });
  const getUserById = createGetUserById(gate);
  bindMeRoutes(router, gate, getUserById);
  bindAgentRoutes(router, { ...foundation, readRepeatable });
  bindApiKeyRoutes(router, { ...foundation, readRepeatable });
  bindUserRoutes(router, { ...foundation, readRepeatable, getUserById });
  bindDelegationRoutes(router, gate, readRepeatable, clock);
  const machines = { ...foundation, keys, bits, apiKeys, verifyToken: verify };
  bindTokenEndpoint(router, { ...machines, baseUrl });
  bindMetadataRoutes(router, baseUrl);
  bindDependentRoutes(router, gate, readRepeatable, clock);
  bindWorkspaceRoutes(router, gate, readRepeatable, clock);
  bindRoleRoutes(router, gate, readRepeatable, clock);
  bindSigningKeyRoutes(router, gate, dataKeys, readRepeatable, clock);
  bindWebhookRoutes(router, { ...foundation, readRepeatable });
  bindTenantRoutes(router, { ...foundation, readRepeatable, baseUrl });
  bindImpersonationRoutes(router, { system, directory, keys, bits, clock });
  bindJournalRoutes(router, gate, sealing);
  bindKeySetRoutes(router, keys);
  status.bind(router);
  bindServiceStateRoutes(router, () => databaseAnswers(database), drain, clock);
  bindReferenceRoutes(router, server, VERSION);
}
