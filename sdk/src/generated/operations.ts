// Made from the contract by `npm run generate`.

import type { Operation } from '../client/operation.ts';

export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  auth: {
    login: { method: 'POST', path: '/api/sso/v1/auth/login', body: true, open: true },
    refresh: { method: 'POST', path: '/api/sso/v1/auth/refresh', body: true, open: true },
    logout: { method: 'POST', path: '/api/sso/v1/auth/logout' },
    verifyToken: { method: 'POST', path: '/api/sso/v1/auth/verify-token', body: true },
    token: { method: 'POST', path: '/api/sso/v1/auth/token', body: true, open: true },
    tokenByIssuer: { method: 'POST', path: '/t/:tenant_id/auth/token', body: true, open: true },
    impersonate: { method: 'POST', path: '/api/sso/v1/auth/impersonate', body: true },
  },
  authorization: {
    check: { method: 'POST', path: '/api/sso/v1/authorize', body: true },
    explain: { method: 'POST', path: '/api/sso/v1/explain', body: true },
  },
  me: {
    get: { method: 'GET', path: '/api/sso/v1/me' },
    update: { method: 'PATCH', path: '/api/sso/v1/me', body: true },
  },
  delegations: {
    list: { method: 'GET', path: '/api/sso/v1/me/delegations', query: true, list: true },
    create: { method: 'POST', path: '/api/sso/v1/me/delegations', body: true, idempotent: true },
    get: { method: 'GET', path: '/api/sso/v1/me/delegations/:delegation_id' },
    delete: { method: 'DELETE', path: '/api/sso/v1/me/delegations/:delegation_id' },
  },
  users: {
    list: { method: 'GET', path: '/api/sso/v1/users', query: true, list: true },
    get: { method: 'GET', path: '/api/sso/v1/users/:user_id' },
    create: { method: 'POST', path: '/api/sso/v1/users', body: true, idempotent: true },
    update: { method: 'PATCH', path: '/api/sso/v1/users/:user_id', body: true },
    delete: { method: 'DELETE', path: '/api/sso/v1/users/:user_id', query: true },
    dependents: { method: 'GET', path: '/api/sso/v1/users/:user_id/dependents' },
    disable: { method: 'POST', path: '/api/sso/v1/users/:user_id/disable', body: true, idempotent: true },
  },
  sessions: {
    list: { method: 'GET', path: '/api/sso/v1/sessions', query: true, list: true },
    delete: { method: 'DELETE', path: '/api/sso/v1/sessions/:session_id' },
    deleteAll: { method: 'DELETE', path: '/api/sso/v1/sessions', query: true },
  },
  workspaces: {
    list: { method: 'GET', path: '/api/sso/v1/workspaces', query: true, list: true },
    create: { method: 'POST', path: '/api/sso/v1/workspaces', body: true, idempotent: true },
    get: { method: 'GET', path: '/api/sso/v1/workspaces/:workspace_id' },
    update: { method: 'PATCH', path: '/api/sso/v1/workspaces/:workspace_id', body: true },
    delete: { method: 'DELETE', path: '/api/sso/v1/workspaces/:workspace_id', query: true },
    listMembers: { method: 'GET', path: '/api/sso/v1/workspaces/:workspace_id/members', query: true, list: true },
    addMember: { method: 'PUT', path: '/api/sso/v1/workspaces/:workspace_id/members/:user_id' },
    removeMember: { method: 'DELETE', path: '/api/sso/v1/workspaces/:workspace_id/members/:user_id' },
  },
  roles: {
    list: { method: 'GET', path: '/api/sso/v1/roles', query: true, list: true },
    create: { method: 'POST', path: '/api/sso/v1/roles', body: true, idempotent: true },
    get: { method: 'GET', path: '/api/sso/v1/roles/:role' },
    update: { method: 'PATCH', path: '/api/sso/v1/roles/:role', body: true },
    delete: { method: 'DELETE', path: '/api/sso/v1/roles/:role', query: true },
  },
  agents: {
    list: { method: 'GET', path: '/api/sso/v1/agents', query: true, list: true },
    create: { method: 'POST', path: '/api/sso/v1/agents', body: true, idempotent: true },
    get: { method: 'GET', path: '/api/sso/v1/agents/:agent_id' },
    update: { method: 'PATCH', path: '/api/sso/v1/agents/:agent_id', body: true },
    delete: { method: 'DELETE', path: '/api/sso/v1/agents/:agent_id', query: true },
    dependents: { method: 'GET', path: '/api/sso/v1/agents/:agent_id/dependents' },
  },
  apikeys: {
    list: { method: 'GET', path: '/api/sso/v1/apikeys', query: true, list: true },
    create: { method: 'POST', path: '/api/sso/v1/apikeys', body: true, idempotent: true, secret: 'key' },
    get: { method: 'GET', path: '/api/sso/v1/apikeys/:key_id' },
    rotate: { method: 'POST', path: '/api/sso/v1/apikeys/:key_id/rotate', body: true, idempotent: true, secret: 'key' },
    delete: { method: 'DELETE', path: '/api/sso/v1/apikeys/:key_id' },
    report: { method: 'POST', path: '/api/sso/v1/apikeys/report', body: true, open: true },
  },
  webhooks: {
    list: { method: 'GET', path: '/api/sso/v1/webhooks', query: true, list: true },
    create: { method: 'POST', path: '/api/sso/v1/webhooks', body: true, idempotent: true, secret: 'secret' },
    get: { method: 'GET', path: '/api/sso/v1/webhooks/:webhook_id' },
    update: { method: 'PATCH', path: '/api/sso/v1/webhooks/:webhook_id', body: true },
    delete: { method: 'DELETE', path: '/api/sso/v1/webhooks/:webhook_id' },
    rotate: { method: 'POST', path: '/api/sso/v1/webhooks/:webhook_id/rotate', body: true, idempotent: true, secret: 'secret' },
    listDeliveries: { method: 'GET', path: '/api/sso/v1/webhooks/:webhook_id/deliveries', query: true, list: true },
    test: { method: 'POST', path: '/api/sso/v1/webhooks/:webhook_id/test', idempotent: true },
    retryDelivery: { method: 'POST', path: '/api/sso/v1/webhooks/:webhook_id/deliveries/:delivery_id/retry', idempotent: true },
    replay: { method: 'POST', path: '/api/sso/v1/webhooks/:webhook_id/replay', body: true, idempotent: true },
  },
  keys: {
    list: { method: 'GET', path: '/api/sso/v1/keys', query: true, list: true },
    rotate: { method: 'POST', path: '/api/sso/v1/keys/rotate', query: true, idempotent: true },
    retire: { method: 'DELETE', path: '/api/sso/v1/keys/:key_id' },
  },
  events: {
    list: { method: 'GET', path: '/api/sso/v1/events', query: true, list: true },
  },
  audit: {
    list: { method: 'GET', path: '/api/sso/v1/audit', query: true, list: true },
    listCheckpoints: { method: 'GET', path: '/api/sso/v1/audit/checkpoints', query: true, list: true },
  },
  tenants: {
    list: { method: 'GET', path: '/api/sso/v1/tenants', query: true, list: true },
    create: { method: 'POST', path: '/api/sso/v1/tenants', body: true, idempotent: true },
    get: { method: 'GET', path: '/api/sso/v1/tenants/:tenant_id' },
    update: { method: 'PATCH', path: '/api/sso/v1/tenants/:tenant_id', body: true, query: true },
    delete: { method: 'DELETE', path: '/api/sso/v1/tenants/:tenant_id' },
  },
  keySet: {
    get: { method: 'GET', path: '/.well-known/jwks.json', open: true },
    getByIssuer: { method: 'GET', path: '/t/:tenant_id/.well-known/jwks.json', open: true },
  },
  discovery: {
    get: { method: 'GET', path: '/.well-known/oauth-authorization-server', open: true },
    getByIssuer: { method: 'GET', path: '/.well-known/oauth-authorization-server/t/:tenant_id', open: true },
    getUnderIssuer: { method: 'GET', path: '/t/:tenant_id/.well-known/oauth-authorization-server', open: true },
  },
  service: {
    health: { method: 'GET', path: '/health', open: true },
    live: { method: 'GET', path: '/livez', open: true },
    openapi: { method: 'GET', path: '/openapi.json', open: true },
  },
};
