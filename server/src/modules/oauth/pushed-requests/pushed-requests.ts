import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Spend } from '../../tokens/proofs/index.ts';
import { idOfRequestUri, newRequestUri } from './reference.ts';
import { createFindPushed, createPush } from './store.ts';

/** Of the request, until a browser comes with it (RFC 9126 §2.2 recommends between 5 and 600 seconds). */
const LIFETIME_SECONDS = 60;
/** Of the login that a browser came for, until its code is issued. */
const LOGIN_SECONDS = 3600;

/** What is used up when a code is issued: each pushed request is answered with one. */
export interface PushedUse {
  /** Of the request, in base64url. */
  readonly id: string;
  /** In seconds since 1970. The login is over by then. */
  readonly until: number;
}

/** A request as its client pushed it. */
interface Pushed {
  readonly parameters: URLSearchParams;
  readonly use: PushedUse;
}

/** As a node knows it. */
interface PushingClient {
  readonly id: OAuthClientId;
  readonly version: number;
}

/** Authorization requests that clients sent ahead, so that browsers carry only a reference (RFC 9126). */
export interface PushedRequests {
  /** @param parameters as a form @returns undefined if the client has changed: nothing is stored */
  push(
    tenantId: TenantId,
    client: PushingClient,
    parameters: string,
  ): Promise<{ readonly requestUri: string; readonly expiresInSeconds: number } | undefined>;
  /** Undefined if it has expired, or is not one of this client. */
  find(
    tenantId: TenantId,
    clientId: OAuthClientId,
    requestUri: string,
  ): Promise<Pushed | undefined>;
  /** Uses it up. A unique row decides among several logins that were begun with it. @returns whether it could be used */
  use(tenantId: TenantId, use: PushedUse): Promise<boolean>;
}

export function createPushedRequests(gate: Gate, spend: Spend, clock: Clock): PushedRequests {
  const store = createPush(gate);
  const findPushed = createFindPushed(gate);
  return {
    async push(tenantId, { id: clientId, version }, parameters) {
      const requestUri = newRequestUri();
      const id = idOfRequestUri(requestUri) as Buffer;
      const expiresAt = new Date(clock.now().getTime() + LIFETIME_SECONDS * 1000);
      const isStored = await store({ tenantId, id, clientId, version, parameters, expiresAt });
      return isStored ? { requestUri, expiresInSeconds: LIFETIME_SECONDS } : undefined;
    },
    async find(tenantId, clientId, requestUri) {
      const id = idOfRequestUri(requestUri);
      const found = id && (await findPushed({ tenantId, id, clientId, now: clock.now() }));
      if (!found) return undefined;
      const until = epochSeconds(new Date(found.expires_at)) + LOGIN_SECONDS;
      const parameters = new URLSearchParams(found.parameters);
      return { parameters, use: { id: id.toString('base64url'), until } };
    },
    async use(tenantId, { id: jti, until }) {
      if (epochSeconds(clock.now()) >= until) return false;
      // The row is kept for as long as a login that was begun with the request may last.
      return spend({ tenantId, maker: 'pushed request', jti, endsAt: new Date(until * 1000) });
    },
  };
}
