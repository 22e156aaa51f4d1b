import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newSessionId, randomId } from '../../../platform/crypto/ids.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, serializeChanges } from '../../events/journal/index.ts';
import { mintRefreshToken, refreshTokenHash } from '../access-tokens/index.ts';
import type { SignJwt } from '../signing-keys/index.ts';
import {
  clientAnswer,
  type GrantedScope,
  type SessionTarget,
  asksForMetadata,
  resolveClaims,
  factsOf,
} from './session-tokens.ts';
import {
  type Lifetimes,
  lifetimesOf,
  type SessionDependencies,
  takeMeans,
} from './session-drafts.ts';
import { endSession } from './administration-store.ts';
import { recordEnd } from './session-administration.ts';
import {
  type SessionFacts,
  findOpenedBy,
  type NewClientSession,
  redeemAll,
} from './session-store.ts';

const BATCH = { size: 64, flights: 2 };

/** Pages that exchange a code twice at once, as those in React's strict mode do, keep their session. */
const SECOND_USE_MS = 5000;

/** What an authorization code stands for. */
interface Redemption {
  readonly clientId: OAuthClientId;
  /** In which it authenticated. */
  readonly clientVersion: number;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The browser session that it was issued in. */
  readonly loginId: SessionId;
  readonly consent: { readonly id: ConsentId; readonly version: number };
  readonly codeHash: Buffer;
  readonly scopes: readonly string[];
  /** Ids of what access tokens can be for; empty: the tenant itself alone. */
  readonly targets: readonly string[];
  /** What is allowed in particular (RFC 9396); undefined: nothing. */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  /** That of the first access token, of it. */
  readonly detailsNow?: readonly AuthorizationDetail[] | undefined;
  /** What the first one is for; undefined: the tenant itself. */
  readonly target: SessionTarget | undefined;
  /** Claims for the userinfo endpoint, asked for by name. */
  readonly asked: readonly string[];
  /** Whether the session ends with that of the browser. */
  readonly endsWithLogin: boolean;
  /** Whether the client gets a refresh token. */
  readonly isRefreshable: boolean;
  /** Whether that refresh token stays the same. */
  readonly isFixed: boolean;
  /** Whether a second use of the code ends the session, however soon it comes. */
  readonly endsAtSecondUse: boolean;
  /** Of the key that its tokens are bound to. */
  readonly jkt?: string | undefined;
  /** Whether the client is told what administrators wrote about the user. */
  readonly tellsMetadata: boolean;
}

/** Tokens of an application, and the session that they are for. */
interface ClientTokens extends Omit<TokenAnswer, 'refresh_token'>, GrantedScope {
  readonly refresh_token?: string;
  readonly session: SessionFacts;
}

/**
 * Opens the session of an application for a code, once. `refused`: the login, the user or the consent that it stands on
 * has ended. `used`: it opened one before, which ends if that was more than a moment ago (RFC 6749 §4.1.2). `stale`: the
 * client has changed since it authenticated.
 */
export type RedeemCode = (
  tenant: Tenant,
  redemption: Redemption,
  device: Device,
) => Promise<ClientTokens | 'used' | 'refused' | 'stale'>;

interface Dependencies extends SessionDependencies {
  readonly signJwt: SignJwt;
}

export function createRedeemCode(dependencies: Dependencies): RedeemCode {
  const { gate, bits, clock, signJwt } = dependencies;
  const redeem = batched((some: readonly NewClientSession[]) => redeemAll(gate, some), BATCH);

  return async (tenant, redemption, device) => {
    const means = await takeMeans(dependencies, tenant);
    const { session, refreshToken } = draft(tenant, redemption, device, means, clock.now());
    const row = await redeem(session);
    if (row.outcome !== 'opened') {
      bits.giveBack(tenant.id, means.bit);
      if (row.outcome === 'used') {
        const spareMs = redemption.endsAtSecondUse ? undefined : SECOND_USE_MS;
        await endForSecondUse(dependencies, tenant, session, { device, spareMs });
      }
      return row.outcome;
    }
    const { userId, workspaceId, clientId, scopes, targets, target, jkt } = redemption;
    const details = redemption.detailsNow ?? redemption.details;
    const subject = {
      userId,
      sessionId: session.id,
      endsAt: session.endsAt,
      accessVersion: 0,
      bit: session.bit,
      customClaims: resolveClaims(tenant.config.custom_claims, row.metadata ?? undefined),
      client: { id: clientId, scopes, targets, details },
      target,
      jkt,
      authentication: row,
      row: { ...row, workspace_id: workspaceId },
    };
    const signing = { key: means.key, signJwt };
    const answer = await clientAnswer(signing, tenant, subject, refreshToken, session.now);
    const { refresh_token: refresh, ...tokens } = answer;
    return {
      ...tokens,
      ...(redemption.isRefreshable && { refresh_token: refresh }),
      session: factsOf(session.id, userId, row),
    };
  };
}

type Means = Awaited<ReturnType<typeof takeMeans>>;

function draft(
  tenant: Tenant,
  redemption: Redemption,
  { from, userAgent }: Device,
  { key, auditKey, bit }: Means,
  now: Date,
): { readonly session: NewClientSession; readonly refreshToken: string } {
  const { clientId, userId, workspaceId, scopes, targets, details, isRefreshable, jkt } =
    redemption;
  const { config } = tenant;
  const id = newSessionId(now);
  const lifetimes = lifetimesOf(secondsOf(redemption, config), now);
  const client = { id: clientId, scopes, targets, details, jkt };
  const fields = { jti: randomId(), userId, sessionId: id, issuedAt: now, ...lifetimes, client };
  const refreshToken = isRefreshable ? mintRefreshToken(key, tenant, fields) : randomId();
  const data = { user_id: userId, session_id: id, workspace_id: workspaceId };
  const change = {
    action: 'auth.code_redeemed',
    target: { kind: 'session', id },
    details: { client_id: clientId, scopes: [...scopes], workspace_id: workspaceId },
    events: [{ type: 'session.created', data }],
  } as const;
  const by = { kind: 'app', subject: userId, clientId, sessionId: id, from } as const;
  const session = {
    ...redemption,
    tenantId: tenant.id,
    id,
    userAgent,
    address: from.address,
    now,
    expiresAt: lifetimes.expiresAt,
    endsAt: lifetimes.sessionEndsAt,
    secretHash: refreshTokenHash(refreshToken),
    refreshKid: key.kid,
    bit,
    wantsMetadata: redemption.tellsMetadata || asksForMetadata(config.custom_claims),
    changes: serializeChanges(auditKey, tenant.id, by, [change], now),
  };
  return { session, refreshToken };
}

/** Nothing says when a fixed refresh token was used last, so that it lasts for as long as its session may. */
function secondsOf({ isRefreshable, isFixed }: Redemption, config: Tenant['config']): Lifetimes {
  const { session_timeout: access, refresh_token_absolute_ttl: absolute } = config;
  // Without a refresh token it is there for its access token.
  if (!isRefreshable) return [access, access];
  return [isFixed ? absolute : config.refresh_token_ttl, absolute];
}

async function endForSecondUse(
  { gate }: SessionDependencies,
  { id }: Tenant,
  { codeHash, now }: NewClientSession,
  { device: { from }, spareMs }: { readonly device: Device; readonly spareMs: number | undefined },
): Promise<void> {
  const before = spareMs === undefined ? undefined : new Date(now.getTime() - spareMs);
  await gate.into(id).transaction(async (tx) => {
    const opened = await findOpenedBy(tx, codeHash, before);
    const ended = opened && (await endSession(tx, opened, 'code_reused'));
    if (ended) await recordEnd(tx, anonymous(from), ended, 'code_reused');
  });
}
