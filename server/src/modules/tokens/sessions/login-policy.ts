// Whether the tenant would accept an earlier login today.

import type { Acr } from '@keywright/contract/authentication';
import type { SessionId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import {
  capturedDomains,
  findBarredAddress,
  findCapturedAddress,
  findUnverified,
} from '../../identity/users/index.ts';
import { refreshTokenHash } from '../access-tokens/index.ts';
import type { BrowserSessionRow } from './browser-logins-store.ts';
import { findRefreshedSession, lacksOwnFactor } from './refresh-store.ts';

type LoginMethod = TenantConfig['allowed_login_methods'][number];

/**
 * The login method of each first factor by its name (RFC 8176 §2). `otp` is not a first factor: a code by SMS is also
 * named `sms`, and the code of an authenticator is a second factor.
 */
const METHOD_OF: Readonly<Record<string, LoginMethod>> = {
  pwd: 'password',
  email: 'magic_link',
  sms: 'magic_link',
  fed: 'oauth',
  pop: 'passkey',
};
const ALL_METHODS = new Set(Object.values(METHOD_OF));

/** Whether sessions of the tenant can violate its policy. For other tenants, checking sessions costs nothing. */
function hasRequirements(config: TenantConfig): boolean {
  const { allowed_login_methods: allowed, require_mfa, require_mfa_role } = config;
  const requires = require_mfa || require_mfa_role !== null || config.require_verified_identifier;
  return requires || allowed.length < ALL_METHODS.size;
}

interface Authentication {
  readonly acr: Acr;
  readonly amr: readonly string[];
}

/** Whether a login with these methods, at this level, would be accepted. */
function isAccepted(
  { acr, amr }: Authentication,
  config: TenantConfig,
  needsSecondFactor: boolean,
): boolean {
  if (needsSecondFactor && acr === 'aal1' && !isSecondByMail(amr, config)) return false;
  const accepted = acceptedNames(config);
  return amr.some((name) => accepted.includes(name));
}

/** Whether email in addition to another factor satisfies the tenant, which chose it. The login remains aal1. */
function isSecondByMail(
  amr: readonly string[],
  { mfa_methods: accepted }: Pick<TenantConfig, 'mfa_methods'>,
): boolean {
  const isOther = (name: string) => name !== 'email' && Object.hasOwn(METHOD_OF, name);
  return accepted.includes('email') && amr.includes('email') && amr.some(isOther);
}

/** Returns the names of accepted first factors: an accepted login has one of them in its `amr`. */
export function acceptedNames({ allowed_login_methods: allowed }: TenantConfig): string[] {
  return Object.keys(METHOD_OF).filter((name) => allowed.includes(METHOD_OF[name] as LoginMethod));
}

/** Whether the tenant would accept a browser login today. */
export async function isGoodEnough(
  data: TenantData,
  tenant: Tenant,
  row: Pick<BrowserSessionRow, 'user_id' | 'acr' | 'amr' | 'provider_id'>,
): Promise<boolean> {
  const { config } = tenant;
  if ((await findBarredAddress(data, tenant, row)) !== undefined) return false;
  if (await lacksOwnFactor(data, row)) return false;
  if (!hasRequirements(config)) return true;
  const requires = row.acr === 'aal1' && (await requiresSecondFactor(data, config, row.user_id));
  if (await findUnverified(data, config, row.user_id)) return false;
  return isAccepted(row, config, requires);
}

/** A session whose login the tenant would not accept today. */
export interface WeakSession {
  readonly sessionId: SessionId;
  readonly identifier: string;
  /** The level that a step-up must reach. */
  readonly acr: Acr;
}

/** Finds a refresh token's session if the tenant would not accept its login today. The token remains unused. */
export async function findWeakSession(
  gate: Gate,
  tenant: Tenant,
  sessionId: SessionId,
  token: string,
  now: Date,
): Promise<WeakSession | undefined> {
  const { id, config, providers } = tenant;
  const isPlain = !providers.some((one) => one.trusts_mfa) && capturedDomains(tenant).length === 0;
  if (!hasRequirements(config) && isPlain) return undefined;
  const data = gate.into(id);
  const presented = refreshTokenHash(token);
  const retrySeconds = config.refresh_retry_window;
  const row = await findRefreshedSession(data, {
    session: sessionId,
    presented,
    retrySeconds,
    now,
  });
  if (!row || row.identifier === null) return undefined;
  const barred = await findBarredAddress(data, tenant, row);
  // Applications start over with an authorization request, which checks the other requirements.
  if (row.kind === 'client')
    return barred === undefined ? undefined : { sessionId, identifier: barred, acr: 'aal1' };
  const requires = row.acr === 'aal1' && (await requiresSecondFactor(data, config, row.user_id));
  const unverified = await findUnverified(data, config, row.user_id);
  const lacksOwn = await lacksOwnFactor(data, row);
  const isEnough = !unverified && !lacksOwn && isAccepted(row, config, requires);
  if (isEnough && barred === undefined) return undefined;
  const captured = barred ?? (await findCapturedAddress(data, tenant, row.user_id));
  const identifier = captured ?? unverified?.address ?? row.identifier;
  return { sessionId, identifier, acr: requires || lacksOwn ? 'aal2' : 'aal1' };
}
