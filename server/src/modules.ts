// All modules of the service, one per line, in any order.

export { dependentsModule } from './modules/access/dependents/index.ts';
export { evaluationModule } from './modules/access/evaluation/index.ts';
export { attemptsModule } from './modules/authentication/attempts/index.ts';
export { bearerModule } from './modules/authentication/bearer/index.ts';
export { impersonationModule } from './modules/authentication/impersonation/index.ts';
export { loginModule } from './modules/authentication/login/index.ts';
export { journalModule } from './modules/events/journal/index.ts';
export { messagesModule } from './modules/events/messages/index.ts';
export { webhooksModule } from './modules/events/webhooks/index.ts';
export { factorsModule } from './modules/identity/factors/index.ts';
export { meModule } from './modules/identity/me/index.ts';
export { rolesModule } from './modules/identity/roles/index.ts';
export { usersModule } from './modules/identity/users/index.ts';
export { workspacesModule } from './modules/identity/workspaces/index.ts';
export { agentsModule } from './modules/machines/agents/index.ts';
export { apiKeysModule } from './modules/machines/api-keys/index.ts';
export { delegationsModule } from './modules/machines/delegations/index.ts';
export { proofsModule } from './modules/machines/proofs/index.ts';
export { tokenEndpointModule } from './modules/oauth/token-endpoint/index.ts';
export { healthModule } from './modules/operations/health/index.ts';
export { idempotencyModule } from './modules/operations/idempotency/index.ts';
export { referenceModule } from './modules/operations/reference/index.ts';
export { tenantsModule } from './modules/operations/tenants/index.ts';
export { sessionsModule } from './modules/tokens/sessions/index.ts';
export { signingKeysModule } from './modules/tokens/signing-keys/index.ts';
export { statusListsModule } from './modules/tokens/status-lists/index.ts';
