import { randomBytes } from 'node:crypto';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { SpentStatements } from '../../tokens/proofs/index.ts';
import type { Clients, LoadedClient } from '../clients/index.ts';
import type { Seals } from './authorization-codes.ts';
import {
  type NewPushedRequest,
  type PushedRequestLookup,
  findPushedRequestRows,
  type PushedRequestRow,
  insertPushedRequests,
} from './pushed-request-store.ts';

/** How long a `request_uri` is valid (RFC 9126 §2.2 recommends between 5 and 600 seconds). */
export const LIFETIME_SECONDS = 60;
/** How long a login with a pushed request can take, until its code is issued. */
const LOGIN_SECONDS = 3600;

/** RFC 9126 §2.2. */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';
/** A reference to a stored request. A sealed request is longer. */
const STORED = /^[A-Za-z0-9_-]{43}$/;
/**
 * The longest form that is sealed: then the `request_uri` has 1,022 characters. RFC 9101 §5.2 recommends 512, because
 * some phones of its time accepted no more than 512 or 1,024.
 */
const MAX_SEALED_LENGTH = 673;

/** Identifies a pushed request, which is used up when a code is issued for it. */
export interface PushedRequestUse {
  /** The hash of the `request_uri`, in base64url. */
  readonly id: string;
  /** The deadline of the login, in seconds since 1970. */
  readonly until: number;
}

interface PushedRequest {
  readonly parameters: URLSearchParams;
  readonly use: PushedRequestUse;
}

/** A pushed request that has not expired. */
interface ValidRequest {
  /** The parameters, form-encoded. */
  readonly form: string;
  /** When it expires, in seconds since 1970. */
  readonly exp: number;
}

/**
 * Authorization requests that clients push (RFC 9126). The `request_uri` is the sealed request, so that nothing is
 * stored; a request that is too long for a URL is stored, and its `request_uri` is a random reference.
 */
export class PushedRequests {
  readonly #clock: Clock;
  readonly #seals: Seals;
  readonly #clients: Clients;
  readonly #spentStatements: SpentStatements;
  readonly #insert: (request: NewPushedRequest) => Promise<boolean>;
  readonly #find: (lookup: PushedRequestLookup) => Promise<PushedRequestRow | undefined>;

  constructor(
    gate: Gate,
    clock: Clock,
    seals: Seals,
    clients: Clients,
    spentStatements: SpentStatements,
  ) {
    this.#clock = clock;
    this.#seals = seals;
    this.#clients = clients;
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
   * @param client in the version cached on this node
   * @param form the parameters, form-encoded
   * @returns undefined if the client has changed
   */
  async push(
    tenantId: TenantId,
    client: LoadedClient,
    form: string,
  ): Promise<{ readonly requestUri: string; readonly expiresInSeconds: number } | undefined> {
    const reference =
      form.length <= MAX_SEALED_LENGTH
        ? await this.#seal(tenantId, client, form)
        : await this.#store(tenantId, client, form);
    if (reference === undefined) return undefined;
    return { requestUri: `${PREFIX}${reference}`, expiresInSeconds: LIFETIME_SECONDS };
  }

  async #seal(tenantId: TenantId, client: LoadedClient, form: string): Promise<string | undefined> {
    if (!(await this.#clients.isCurrent(client))) return undefined;
    const exp = epochSeconds(this.#clock.now()) + LIFETIME_SECONDS;
    const request: ValidRequest = { form, exp };
    return this.#seals.seal(request, contextOf(tenantId, client.id));
  }

  async #store(
    tenantId: TenantId,
    { id: clientId, version }: LoadedClient,
    parameters: string,
  ): Promise<string | undefined> {
    // 256 random bits, which only the client receives.
    const reference = randomBytes(32).toString('base64url');
    const id = sha256(reference);
    const expiresAt = new Date(this.#clock.now().getTime() + LIFETIME_SECONDS * 1000);
    const isStored = await this.#insert({ tenantId, id, clientId, version, parameters, expiresAt });
    return isStored ? reference : undefined;
  }

  /** @returns undefined if the request has expired or was pushed by another client */
  async find(
    tenantId: TenantId,
    clientId: OAuthClientId,
    requestUri: string,
  ): Promise<PushedRequest | undefined> {
    const reference = requestUri.slice(PREFIX.length);
    const id = sha256(reference);
    const found = STORED.test(reference)
      ? await this.#findStored({ tenantId, id, clientId, now: this.#clock.now() })
      : await this.#open(tenantId, clientId, reference);
    if (!found) return undefined;
    const until = found.exp + LOGIN_SECONDS;
    return {
      parameters: new URLSearchParams(found.form),
      use: { id: id.toString('base64url'), until },
    };
  }

  async #findStored(lookup: PushedRequestLookup): Promise<ValidRequest | undefined> {
    const row = await this.#find(lookup);
    return row && { form: row.parameters, exp: epochSeconds(row.expires_at) };
  }

  async #open(
    tenantId: TenantId,
    clientId: OAuthClientId,
    sealed: string,
  ): Promise<ValidRequest | undefined> {
    const opened = await this.#seals.open(sealed, contextOf(tenantId, clientId));
    const request = opened as ValidRequest | undefined;
    return request && epochSeconds(this.#clock.now()) < request.exp ? request : undefined;
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

/** Another client cannot open the sealed request. */
function contextOf(tenantId: TenantId, clientId: OAuthClientId) {
  return { tenantId, purpose: 'pushed request', boundTo: clientId } as const;
}
