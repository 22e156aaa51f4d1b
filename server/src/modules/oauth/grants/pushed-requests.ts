import { randomBytes } from 'node:crypto';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { SpentStatements } from '../../tokens/proofs/index.ts';
import {
  type NewPushedRequest,
  type PushedRequestLookup,
  findPushedRequestRows,
  type PushedRequestRow,
  insertPushedRequests,
} from './pushed-request-store.ts';

/** How long a `request_uri` is valid (RFC 9126 §2.2 recommends between 5 and 600 seconds). */
const LIFETIME_SECONDS = 60;
/** How long a login with a pushed request can take, until its code is issued. */
const LOGIN_SECONDS = 3600;

/** RFC 9126 §2.2. */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';
const REFERENCE = /^[A-Za-z0-9_-]{43}$/;

/** Identifies a pushed request, which is used up when a code is issued for it. */
export interface PushedRequestUse {
  /** The ID of the request, in base64url. */
  readonly id: string;
  /** The deadline of the login, in seconds since 1970. */
  readonly until: number;
}

interface PushedRequest {
  readonly parameters: URLSearchParams;
  readonly use: PushedRequestUse;
}

/** The client, in the version cached on this node. */
interface PushingClient {
  readonly id: OAuthClientId;
  readonly version: number;
}

/** Stores authorization requests that clients push, so that browsers carry only a reference (RFC 9126). */
export class PushedRequests {
  readonly #clock: Clock;
  readonly #spentStatements: SpentStatements;
  readonly #insert: (request: NewPushedRequest) => Promise<boolean>;
  readonly #find: (lookup: PushedRequestLookup) => Promise<PushedRequestRow | undefined>;

  constructor(gate: Gate, clock: Clock, spentStatements: SpentStatements) {
    this.#clock = clock;
    this.#spentStatements = spentStatements;
    // Concurrent requests of all tenants share one statement and one commit.
    this.#insert = batched((requests) => insertPushedRequests(gate, requests), {
      size: 32,
      flights: 2,
    });
    this.#find = batched((lookups) => findPushedRequestRows(gate, lookups), {
      size: 64,
      flights: 1,
    });
  }

  /**
   * @param parameters form-encoded
   * @returns undefined if the client has changed; then nothing is stored
   */
  async push(
    tenantId: TenantId,
    { id: clientId, version }: PushingClient,
    parameters: string,
  ): Promise<{ readonly requestUri: string; readonly expiresInSeconds: number } | undefined> {
    // 256 random bits, which only the client receives.
    const reference = randomBytes(32).toString('base64url');
    const id = sha256(reference);
    const expiresAt = new Date(this.#clock.now().getTime() + LIFETIME_SECONDS * 1000);
    const isStored = await this.#insert({ tenantId, id, clientId, version, parameters, expiresAt });
    if (!isStored) return undefined;
    return { requestUri: `${PREFIX}${reference}`, expiresInSeconds: LIFETIME_SECONDS };
  }

  /** @returns undefined if the request has expired or was pushed by another client */
  async find(
    tenantId: TenantId,
    clientId: OAuthClientId,
    requestUri: string,
  ): Promise<PushedRequest | undefined> {
    const id = idOfRequestUri(requestUri);
    const row = id && (await this.#find({ tenantId, id, clientId, now: this.#clock.now() }));
    if (!row) return undefined;
    const until = epochSeconds(row.expires_at) + LOGIN_SECONDS;
    const parameters = new URLSearchParams(row.parameters);
    return { parameters, use: { id: id.toString('base64url'), until } };
  }

  /**
   * Uses up the request. A unique row decides between several logins that started with it.
   * @returns whether it was still usable
   */
  async use(tenantId: TenantId, { id: jti, until }: PushedRequestUse): Promise<boolean> {
    if (epochSeconds(this.#clock.now()) >= until) return false;
    // The row lasts as long as any login that started with the request.
    const endsAt = new Date(until * 1000);
    return this.#spentStatements.spend({ tenantId, maker: 'pushed request', jti, endsAt });
  }
}

/** Whether a `request_uri` refers to a pushed request rather than a URL. */
export function isPushedRequestUri(uri: string): boolean {
  return uri.startsWith(PREFIX);
}

/** Returns the key of the stored row: a hash, so that reading the table does not reveal a usable reference. */
function idOfRequestUri(uri: string): Buffer | undefined {
  const reference = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
  return REFERENCE.test(reference) ? sha256(reference) : undefined;
}
