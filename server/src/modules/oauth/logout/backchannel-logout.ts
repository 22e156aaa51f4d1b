import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import type { QueryOf } from '@keywright/contract/route';
import type { listLogoutDeliveries } from '@keywright/contract/routes/logout-deliveries';
import { epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import { topic } from '../../../tenancy/after-commit.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import {
  counted,
  defineJobs,
  type JobKind,
  type Outcome,
  unansweredOutcome,
} from '../../../tenancy/jobs/jobs.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { JobRow } from '../../../tenancy/jobs/store.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import { type Clients, findClientIn, type LoadedClient } from '../clients/index.ts';
import type { SubjectIdentifiers } from '../id-tokens/index.ts';
import { countLogoutDeliveries, findLogoutDeliveries, presentDelivery } from './logout-store.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The delay after each failed attempt. The attempt after the last delay is final. */
export const DELAYS_MS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE];
export const TIMEOUT_MS = 10_000;
/** Longer than an attempt takes. */
const LEASE_SECONDS = 30;
/** Small, because the response body has no meaning. */
const MAX_BYTES = 1024;
/** OpenID Connect Back-Channel Logout §2.4 recommends two minutes at most. */
export const TOKEN_LIFETIME_SECONDS = 120;

/** The member of `events` that marks a logout token. */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The share of the egress next to webhook deliveries, which use most of it. Each client counts as an endpoint. */
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

/** A notification to a client that a session has ended. */
interface LogoutRow extends JobRow {
  /** The session that ended. */
  readonly id: SessionId;
  /** The client. */
  readonly queue_key: OAuthClientId;
  readonly user_id: UserId;
}

/** A notification to this client is due. If the message is lost, the next poll finds the notification. */
export const logoutDue = topic<KeyRef<OAuthClientId>>('a notification of a logout is due');

/** Notifies clients from this node. */
export class LogoutQueue extends JobQueue<LogoutRow> {
  constructor(core: Core, run: JobKind<LogoutRow>['run']) {
    const kind: JobKind<LogoutRow> = {
      name: 'back-channel logouts',
      table: 'logout_deliveries',
      room: ROOM,
      leaseSeconds: LEASE_SECONDS,
      delaysMs: DELAYS_MS,
      run,
    };
    const report = {
      metric: 'keywright_backchannel_logouts_total',
      help: 'Attempts to notify a client of a logout, by outcome.',
      fieldsOf: ({ tenant_id: tenant, queue_key: client, id: session }: LogoutRow) => ({
        tenant,
        client,
        session,
      }),
      message: 'a client was not notified of a logout',
    };
    super(counted(defineJobs(kind, core), report, core), core);
    core.afterCommit.subscribe(logoutDue, (client) => this.wake(client));
  }
}

const NO_ADDRESS = {
  code: 'no_address',
  detail: 'The client no longer has a backchannel_logout_uri.',
};

/** Notifies clients that their sessions have ended (OpenID Connect Back-Channel Logout). */
export class BackchannelLogout {
  readonly queue: LogoutQueue;
  readonly #core: Core;
  readonly #clients: Clients;
  readonly #subjects: SubjectIdentifiers;
  readonly #jwts: ApplicationJwts;

  constructor(core: Core, clients: Clients, subjects: SubjectIdentifiers, jwts: ApplicationJwts) {
    this.#core = core;
    this.#clients = clients;
    this.#subjects = subjects;
    this.#jwts = jwts;
    this.queue = new LogoutQueue(core, (job) => this.#notify(job));
  }

  async listDeliveries(
    { id: tenantId }: Tenant,
    id: string,
    query: QueryOf<typeof listLogoutDeliveries>,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ) {
    const { sort = '-created_at', status } = query;
    const page = readPage([tenantId, 'logout deliveries', id], query, sort, fail);
    const [rows, total] = await this.#core.gate.into(tenantId).transaction(async (tx) => {
      const client = (await findClientIn(tx, id)) ?? fail('NOT_FOUND');
      const filter = { clientId: client.id, status };
      const found = await countLogoutDeliveries(tx, filter);
      return [await findLogoutDeliveries(tx, filter, page), found] as const;
    });
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentDelivery);
  }

  /** Never throws on errors of the client. */
  async #notify({
    tenant_id: tenantId,
    queue_key: clientId,
    id: sessionId,
    user_id: userId,
  }: LogoutRow): Promise<Outcome> {
    const { directory, egress } = this.#core;
    const tenant = await directory.findById(tenantId);
    const client = await this.#clients.find(tenantId, clientId);
    if (!tenant || !client?.backchannel_logout_uri) {
      return { outcome: 'failed', reason: NO_ADDRESS };
    }
    const token = await this.#mintToken(tenant, client, userId, sessionId);
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
    return judgeNotification(outcome);
  }

  /** OpenID Connect Back-Channel Logout §2.4. A logout token has no nonce, so that it cannot pass for an ID token. */
  async #mintToken(
    tenant: Tenant,
    client: LoadedClient,
    userId: UserId,
    sessionId: SessionId,
  ): Promise<string> {
    const iat = epochSeconds(this.#core.clock.now());
    const claims = {
      iss: tenant.issuer,
      sub: await this.#subjects.of(tenant.id, client, userId),
      aud: client.id,
      iat,
      exp: iat + TOKEN_LIFETIME_SECONDS,
      // New for each attempt: a client can refuse a token that it has already seen, yet still need the notification
      // (§2.6).
      jti: randomId(),
      sid: sessionId,
      events: { [LOGOUT_EVENT]: {} },
    };
    return this.#jwts.sign(tenant.id, {
      alg: client.id_token_signed_response_alg,
      typ: 'logout+jwt',
      claims,
    });
  }
}

/** OpenID Connect Back-Channel Logout §2.8: some frameworks turn an empty 200 into a 204. */
const ACCEPTED = [200, 204];
/** The client rejects the token or does not implement the request, so another attempt would fail as well. */
const FINAL = [400, 501];

/** Returns the outcome of an attempt. The response body has no meaning (§2.8), and is not stored. */
function judgeNotification(outcome: EgressOutcome): Outcome {
  if (outcome.outcome === 'answered') {
    const { status } = outcome;
    if (ACCEPTED.includes(status)) return { outcome: 'done' };
    const reason = { code: `status_${status}`, detail: `The client returned ${status}.` };
    return { outcome: FINAL.includes(status) ? 'failed' : 'retry', reason };
  }
  return unansweredOutcome(outcome);
}
