import type { Fail } from '@keywright/contract/errors';
import type { SessionId, UserId, OAuthClientId } from '@keywright/contract/ids';
import type {
  LogoutDeliveryRecord,
  LogoutDeliveryState,
} from '@keywright/contract/records/logout-delivery';
import type { QueryOf } from '@keywright/contract/route';
import type { listLogoutDeliveries } from '@keywright/contract/routes/logout-deliveries';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { type AfterCommit, topic } from '../../../tenancy/after-commit.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { counted } from '../../../tenancy/jobs/counted.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { type Outcome, defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { JobRow } from '../../../tenancy/jobs/store.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { OwnJwts } from '../../tokens/signing-keys/index.ts';
import { type KnownClient, type Clients, findClientIn } from '../clients/index.ts';
import type { SubjectIdentifiers } from '../id-tokens/index.ts';
import {
  countLogoutDeliveries,
  findLogoutDeliveries,
  type LogoutDeliveryRow,
} from './logout-store.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The delay after each failed attempt. After the last one, there is no further attempt. */
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE];

/** OpenID Connect Back-Channel Logout §2.8, with 204, which frameworks make of an empty 200. */
const TOLD = [200, 204];
/** The token is refused, or the request is not implemented: the next one will be no different. */
const FINAL = [400, 501];

/**
 * What a response, or none, means for a client that is told. What was not sent for reasons of our own does not count as an
 * attempt. Bodies say nothing (§2.8), and are not kept.
 */
function judgeTelling(outcome: EgressOutcome): Outcome {
  if (outcome.outcome === 'answered') {
    const { status } = outcome;
    if (TOLD.includes(status)) return { outcome: 'done' };
    const reason = `status_${status}: The client answered ${status}.`;
    return { outcome: FINAL.includes(status) ? 'failed' : 'retry', reason };
  }
  const { reason, detail } = outcome;
  if (reason === 'too_busy' || reason === 'closed') return { outcome: 'released', reason };
  return { outcome: 'retry', reason: `${reason}: ${detail}` };
}

/** OpenID Connect Back-Channel Logout §2.4 recommends two minutes at most. */
const LIFETIME_SECONDS = 120;

/** The member of `events` that makes it a logout token. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A session that ended, as its client is told. */
interface EndedLogin {
  readonly tenant: Tenant;
  readonly client: KnownClient;
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** Mints a logout token (OpenID Connect Back-Channel Logout §2.4). It has no nonce, so that it is no ID token. */
type LogoutToken = (ended: EndedLogin) => Promise<string>;

interface LogoutTokenDependencies {
  readonly jwts: OwnJwts;
  readonly subjects: SubjectIdentifiers;
  readonly clock: Clock;
}

export function createLogoutToken({ jwts, subjects, clock }: LogoutTokenDependencies): LogoutToken {
  return async ({ tenant, client, userId, sessionId }) => {
    const iat = epochSeconds(clock.now());
    const claims = {
      iss: tenant.issuer,
      sub: await subjects.of(tenant.id, client, userId),
      aud: client.id,
      iat,
      exp: iat + LIFETIME_SECONDS,
      // Of each token: a client may refuse one that it has seen, and be told again all the same (§2.6).
      jti: randomId(),
      sid: sessionId,
      events: { [EVENT]: {} },
    };
    return jwts.sign(tenant.id, {
      alg: client.id_token_signed_response_alg,
      typ: 'logout+jwt',
      claims,
    });
  };
}

const TIMEOUT_MS = 10_000;
/** Nothing of the answer is read. */
const MAX_BYTES = 1024;

/** What a client is to be told. */
interface LogoutRow extends JobRow {
  /** The session that ended. */
  readonly id: SessionId;
  /** The client. */
  readonly queue_key: OAuthClientId;
  readonly user_id: UserId;
}

interface TellDependencies {
  readonly clients: Clients;
  readonly directory: TenantDirectory;
  readonly egress: Egress;
  readonly logoutToken: LogoutToken;
}

/** Tells a client that a session of it has ended. Never throws because of the client. */
type Tell = (job: LogoutRow) => Promise<Outcome>;

export function createTell({ clients, directory, egress, logoutToken }: TellDependencies): Tell {
  return async ({ tenant_id: tenantId, queue_key: clientId, id: sessionId, user_id: userId }) => {
    const tenant = await directory.findById(tenantId);
    const client = await clients.find(tenantId, clientId);
    if (!tenant || !client?.backchannel_logout_uri)
      return { outcome: 'failed', reason: NO_ADDRESS };
    const token = await logoutToken({ tenant, client, userId, sessionId });
    const outcome = await egress.send({
      method: 'POST',
      url: client.backchannel_logout_uri,
      onBehalfOf: tenantId,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      truncate: true,
    });
    return judgeTelling(outcome);
  };
}

const NO_ADDRESS = 'no_address: The client has no backchannel_logout_uri any more.';

/** Longer than an attempt takes: 10 seconds at most. */
const LEASE_SECONDS = 30;

/** Beside the deliveries of webhooks, which use most of what the egress admits. A client counts as an endpoint. */
const ROOM: Room = {
  all: 64,
  ofTenant: 24,
  ofKey: 8,
  atFirst: 4,
  whileFailing: 1,
  troubled: 32,
  troubledOfTenant: 8,
  waitingOfKey: 200,
  waiting: 5000,
};

/** This client is to be told. The next poll makes up for a lost message. */
export const clientToTell = topic<KeyRef<OAuthClientId>>('client to tell of a logout');

interface Dependencies {
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly poller: Poller;
}

/** Tells clients that their users are logged out, on this node. */
export type LogoutQueue = JobQueue<LogoutRow>;

export function createLogoutQueue(dependencies: Dependencies, run: Tell): LogoutQueue {
  const kind: JobKind<LogoutRow> = {
    name: 'back-channel logouts',
    table: 'logout_deliveries',
    room: ROOM,
    leaseSeconds: LEASE_SECONDS,
    delaysMs: DELAYS_MS,
    run,
  };
  const told = {
    metric: 'keywright_backchannel_logouts_total',
    help: 'Attempts to tell a client of a logout, by how they ended.',
    fieldsOf: ({ tenant_id: tenant, queue_key: client, id: session }: LogoutRow) => ({
      tenant,
      client,
      session,
    }),
    message: 'a client was not told of a logout',
  };
  const definition = counted(defineJobs(kind, dependencies), told, dependencies);
  const queue = new JobQueue(definition, dependencies);
  dependencies.afterCommit.subscribe(clientToTell, (client) => queue.wake(client));
  return queue;
}

export async function listLogoutDeliveriesPage(
  tenant: TenantData,
  id: string,
  query: QueryOf<typeof listLogoutDeliveries>,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
) {
  const { sort = '-created_at', status } = query;
  const page = readPage([tenant.tenantId, 'logout deliveries', id], query, sort, fail);
  const [rows, total] = await tenant.transaction(async (tx) => {
    const client = (await findClientIn(tx, id)) ?? fail('NOT_FOUND');
    const filter = { clientId: client.id, status };
    const found = await countLogoutDeliveries(tx, filter);
    return [await findLogoutDeliveries(tx, filter, page), found] as const;
  });
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentDelivery);
}

function presentDelivery(row: LogoutDeliveryRow): LogoutDeliveryRecord {
  const isPending = row.status === 'pending';
  const dueAt = row.due_at.toISOString();
  return {
    session_id: row.id,
    tenant_id: row.tenant_id,
    client_id: row.queue_key as OAuthClientId,
    user_id: row.user_id,
    status: row.status === 'done' ? 'delivered' : (row.status as LogoutDeliveryState),
    attempts: row.attempts,
    reason: row.reason,
    next_attempt_at: isPending ? dueAt : null,
    ended_at: isPending ? null : dueAt,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
