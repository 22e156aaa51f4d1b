import type { Session } from './session.ts';
import { applicationRows } from './seed-applications.ts';
import { resourceRows } from './seed-resources.ts';

export const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-02-01T00:00:00Z');

/** Bits of the seeded grants, and other values of a seeded tenant's status list. */
export const STATUS_BITS = {
  session: 1,
  key: 2,
  agent: 3,
  /** The bit of a token that depends on the delegation. */
  hung: 4,
  /** The bit of a grant that no longer exists. */
  revoked: 5,
  next: 100,
  version: 1000,
} as const;

/** The ids and names in the rows of a seeded tenant. */
export interface Seeded {
  readonly tenantId: string;
  readonly domain: string;
  readonly userId: string;
  readonly identifier: string;
  readonly secretHash: string;
  readonly factorId: string;
  readonly challengeId: string;
  readonly flowId: string;
  readonly role: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly refreshHash: Buffer;
  readonly subject: Buffer;
  readonly agentId: string;
  readonly apiKeyId: string;
  readonly delegationId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

function namesOf(slug: string): Seeded {
  return {
    tenantId: `org_${slug}`,
    domain: `${slug}.example.com`,
    userId: `user:${slug}`,
    identifier: `resident@${slug}.example.com`,
    secretHash: `hash of ${slug}`,
    factorId: `fct_${slug}`,
    challengeId: `chl_${slug}`,
    flowId: `login_${slug}`,
    role: `role-${slug}`,
    workspaceId: `ws_${slug}`,
    sessionId: `session:${slug}`,
    refreshHash: Buffer.from(`refresh ${slug}`),
    subject: Buffer.from(`subject ${slug}`),
    agentId: `service:${slug}`,
    apiKeyId: `key_of_${slug}`,
    delegationId: `dlg_${slug}`,
    webhookId: `wh_${slug}`,
    deliveryId: `job_${slug}`,
  };
}

type Row = Readonly<Record<string, unknown>>;

/** A row in every table that has a tenant_id, in an order that foreign keys allow. */
function rowsOf(names: Seeded): readonly (readonly [table: string, row: Row])[] {
  const { userId, workspaceId, role } = names;
  const [tenant_id, user_id, created_at] = [names.tenantId, userId, NOW];
  const signingKey = { public_key: 'x', private_key: names.subject, created_at, signs_from: NOW };
  return [
    ['tenants', { name: tenant_id, created_at }],
    ['tenant_domains', { domain: names.domain }],
    ['tenant_texts', { locale: 'en', key: 'login.title', text: 't', updated_at: created_at }],
    ['logos', { kind: 'logo', url: `https://${names.domain}/logo.svg` }],
    ['tenant_data_keys', { wrapped_key: names.subject, master_key_id: 'k', created_at }],
    ['signing_keys', { id: `key_${tenant_id}`, algorithm: 'EdDSA', ...signingKey }],
    ['signing_keys', { id: `key_rsa_${tenant_id}`, algorithm: 'RS256', ...signingKey }],
    ['workspaces', { id: workspaceId, name: workspaceId, slug: workspaceId, created_at }],
    ['roles', { name: role, description: role, scopes: [`read:${role}`], created_at }],
    [
      'users',
      { id: userId, created_at, name: 'Named', name_key: 'named', picture: 'https://named.test/' },
    ],
    [
      'user_pictures',
      { user_id, digest: names.subject, content_type: 'image/png', image: names.subject },
    ],
    ['user_identifiers', { identifier: names.identifier, user_id, type: 'email', position: 0 }],
    [
      'invitations',
      {
        id: `inv_${tenant_id}`,
        identifier: names.identifier,
        roles: [role],
        workspaces: [workspaceId],
        invited_by: userId,
        inviter_kind: 'user',
        created_at,
        sent_at: NOW,
        expires_at: LATER,
      },
    ],
    ['sms_traffic', { country: 'DE', sent: 50, redeemed: 0 }],
    [
      'identifier_undos',
      {
        id: `und_${tenant_id}`,
        user_id,
        auth_version: 0,
        destination: names.identifier,
        identifiers: '[]',
        expires_at: LATER,
      },
    ],
    [
      'user_credentials',
      { user_id, type: 'password', provider: 'local', secret_hash: names.secretHash },
    ],
    [
      'user_factors',
      {
        id: names.factorId,
        user_id,
        type: 'totp',
        name: 'a',
        created_at,
        confirmed_at: NOW,
        totp_secret: names.subject,
      },
    ],
    [
      'challenges',
      {
        id: names.challengeId,
        flow_id: names.flowId,
        kind: 'login',
        user_id,
        auth_version: 0,
        expires_at: LATER,
      },
    ],
    [
      'login_flows',
      {
        id: names.flowId,
        purpose: 'login',
        token_hash: names.subject,
        identifier: names.identifier,
        created_at,
        expires_at: LATER,
      },
    ],
    ['user_roles', { user_id, role }],
    ['user_logins', { user_id, last_login_at: NOW }],
    ['activity', { span: 'day', began_at: NOW, expires_at: LATER, counts: '{"requests":1}' }],
    ['workspace_members', { workspace_id: workspaceId, user_id, position: 0 }],
    [
      'sessions',
      {
        id: names.sessionId,
        user_id,
        workspace_id: workspaceId,
        ip_address: '192.0.2.1',
        created_at,
        expires_at: LATER,
        absolute_expires_at: LATER,
        refresh_hash: names.refreshHash,
        refresh_kid: 'kid',
        kind: 'api',
        auth_time: NOW,
        acr: 'aal1',
        amr: ['pwd'],
        refresh_issued_at: NOW,
        status_idx: STATUS_BITS.session,
        status_version: 0,
      },
    ],
    [
      'impersonations',
      {
        session_id: names.sessionId,
        into_tenant: names.tenantId,
        reason: 'ticket 4711',
        session_version: 0,
        tenant_version: 0,
        started_at: NOW,
        expires_at: LATER,
      },
    ],
    [
      'agents',
      {
        id: names.agentId,
        name: 'a',
        description: '',
        workspace_id: workspaceId,
        scopes: [`read:${role}`],
        status_idx: STATUS_BITS.agent,
        status_version: 0,
        created_at,
      },
    ],
    [
      'api_keys',
      {
        id: names.apiKeyId,
        agent_id: names.agentId,
        name: 'k',
        secret_hash: names.refreshHash,
        prefix: 'svc_sk_',
        created_by: userId,
        created_at,
        expires_at: LATER,
        status_idx: STATUS_BITS.key,
        status_version: 0,
      },
    ],
    [
      'webhooks',
      {
        id: names.webhookId,
        url: `https://hooks.${tenant_id}.example.com`,
        events: ['user.deleted'],
        secret: names.subject,
        created_at,
      },
    ],
    [
      'identity_providers',
      {
        id: `idp_${tenant_id}`,
        type: 'oidc',
        name: 'Corporate',
        client_id: 'keywright',
        settings: {},
        is_active: true,
        created_at,
      },
    ],
    ...applicationRows(tenant_id, names, { created_at, expires_at: LATER }),
    ...resourceRows(tenant_id, created_at),
    [
      'provider_domains',
      {
        domain: 'corp.example.com',
        provider_id: `idp_${tenant_id}`,
        challenge: 'challenge',
        created_at,
      },
    ],
    [
      'upstream_logins',
      {
        flow_id: names.flowId,
        provider_id: `idp_${tenant_id}`,
        state_hash: names.subject,
        return_url: 'https://app.example.com/',
        asks_login: false,
        expires_at: LATER,
      },
    ],
    [
      'webhook_deliveries',
      {
        webhook_id: names.webhookId,
        id: names.deliveryId,
        event_id: names.deliveryId,
        event_type: 'user.deleted',
        due_at: NOW,
        created_at,
      },
    ],
    [
      'messages',
      {
        id: `msg_${names.userId}`,
        kind: 'login',
        channel: 'email',
        destination: names.subject,
        masked_destination: 's…@e….com',
        user_id,
        vars: {},
        queue_key: 'email',
        due_at: NOW,
        expires_at: LATER,
        created_at,
      },
    ],
    [
      'message_templates',
      { kind: 'login', locale: 'en', subject: 's', text: 't', updated_at: created_at },
    ],
    [
      'suppressions',
      {
        id: 'x',
        destination: names.subject,
        masked_destination: 's…@e….com',
        reason: 'bounce',
        created_at,
      },
    ],
    [
      'delegations',
      {
        id: names.delegationId,
        user_id,
        agent_id: names.agentId,
        scopes: [`read:${role}`],
        created_at,
        expires_at: LATER,
      },
    ],
    [
      'account_exports',
      {
        id: user_id,
        session_id: `session:${tenant_id}`,
        due_at: NOW,
        expires_at: LATER,
        created_at,
      },
    ],
    [
      'logout_deliveries',
      {
        id: `session:ended ${tenant_id}`,
        user_id,
        queue_key: `client_${tenant_id}`,
        due_at: NOW,
        expires_at: LATER,
        created_at,
      },
    ],
    ['status_ranges', { next_idx: STATUS_BITS.next }],
    ['status_positions', { version: STATUS_BITS.version }],
    ['status_revocations', { idx: STATUS_BITS.revoked, version: STATUS_BITS.version }],
    [
      'status_dependents',
      {
        grant_id: names.delegationId,
        list_tenant_id: tenant_id,
        idx: STATUS_BITS.hung,
        expires_at: LATER,
      },
    ],
    ['spent_assertions', { id: names.subject, expires_at: LATER }],
    [
      'login_attempts',
      { subject: names.subject, window_started_at: NOW, window_ends_at: LATER, attempts: 5 },
    ],
    [
      'idempotency_keys',
      { caller: userId, route: 'users.create', key: 'k', request_hash: names.subject, created_at },
    ],
    [
      'events',
      { id: `evt_${userId}`, type: 'user.created', subject: userId, data: { user_id }, created_at },
    ],
    [
      'audit_entries',
      {
        id: `aud_${userId}`,
        created_at,
        actor_kind: 'user',
        actor_id: userId,
        action: 'user.created',
        target_kind: 'user',
        target_id: userId,
        outcome: 'success',
        count: 1,
        details: { role },
        mac: Buffer.alloc(32),
      },
    ],
    ['audit_unsealed', { id: `aud_${userId}` }],
    ['audit_chain', { position: 1, entry_id: `aud_${userId}`, hash: names.subject }],
    ['audit_checkpoints', { position: 1, token: `token of ${userId}`, created_at }],
    ['isolation_check', { id: tenant_id }],
  ];
}

/** Fills a tenant, bypassing row-level security. */
export async function seedTenant(session: Session, slug: string): Promise<Seeded> {
  const names = namesOf(slug);
  for (const [table, row] of rowsOf(names)) {
    const whole: Row = { tenant_id: names.tenantId, ...row };
    const columns = Object.keys(whole);
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
    await session.query(insert, Object.values(whole));
  }
  return names;
}
