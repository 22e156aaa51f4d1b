import { schemeOf } from '../../../platform/crypto/foreign-hash.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Share } from '../../../platform/crypto/fair-queue.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import { findUnverified, findCaptors } from '../../identity/users/index.ts';
import {
  beginFlow,
  decide,
  type Flow,
  type Method,
  type Next,
  prove,
  type UserState,
} from '../proofs/index.ts';
import {
  type MustReplace,
  BREACHED_PASSWORD,
  decoyFor,
  type PasswordInput,
} from '../passwords/index.ts';
import type { LoginMethods } from './methods.ts';
import type { LoginRow } from './login-store.ts';

/** What a client presents. */
interface Presented {
  /** Normalised. */
  readonly identifier: string;
  readonly secret: string;
  readonly share: Share;
  readonly from: Origin;
}

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly methods: LoginMethods;
  readonly mustReplace: MustReplace;
}

/** What a secret leads to. */
export interface Proven {
  readonly next: Next;
  /** The method of the proof in a flow. */
  readonly method: 'password' | 'breached_password';
}

/** Checks a secret for a user, who may not exist. */
export async function proveSecret(
  { gate, passwords, methods: { password }, mustReplace }: Dependencies,
  tenant: Tenant,
  row: LoginRow,
  { identifier, secret, share, from }: Presented,
  now: Date,
): Promise<Proven> {
  const decoy = decoyFor(tenant.foreignHashes, identifier);
  const input = { user: holderOf(passwords, tenant, row, now), secret, share, decoy };
  const shown = await prove(beginFlow(tenant.id), password, input, now);
  const { id, config } = tenant;
  const data = gate.into(id);
  const isProven = shown.proofs.length > 0 && row.user_id !== null && row.is_active;
  const isBreached = isProven && (await mustReplace(tenant, secret, from));
  const flow = isBreached ? withMethod(shown, BREACHED_PASSWORD) : shown;
  const userId = isProven ? row.user_id : null;
  const unverified = userId === null ? undefined : await findUnverified(data, config, userId);
  const state = userStateOf(row, unverified === undefined);
  const mayLack = userId !== null && !state?.hasSecondFactor;
  const next = decide(flow, state, {
    allowed_login_methods: config.allowed_login_methods,
    mfa_methods: config.mfa_methods,
    requiresVerifiedIdentifier: config.require_verified_identifier,
    requiredProviders: userId === null ? [] : await findCaptors(data, tenant, userId),
    // A password is not a login at a provider.
    requiresOwnFactor: false,
    requiresSecondFactor: mayLack
      ? await requiresSecondFactor(data, config, userId)
      : config.require_mfa,
  });
  return { next, method: isBreached ? 'breached_password' : 'password' };
}

function withMethod(flow: Flow, method: Method): Flow {
  return {
    ...flow,
    proofs: flow.proofs.map((proof) => ({ ...proof, method })),
  };
}

/** The user whose password it must be. */
export function holderOf(
  passwords: PasswordHasher,
  tenant: Tenant,
  row: LoginRow,
  now: Date,
): PasswordInput['user'] {
  if (row.user_id === null) return undefined;
  const { user_id: userId, auth_version: authVersion, secret_hash: secretHash } = row;
  const isUsable = secretHash !== null && !hasExpired(passwords, tenant, secretHash, now);
  return { userId, authVersion, secretHash: isUsable ? secretHash : undefined };
}

/** Without a usable hash, a user is refused as slowly as an unknown one. */
function hasExpired(
  { scheme }: PasswordHasher,
  { config }: Tenant,
  secretHash: string,
  now: Date,
): boolean {
  const { import_expires_at: end } = config;
  return end !== null && Date.parse(end) <= now.getTime() && schemeOf(secretHash) !== scheme;
}

function userStateOf(row: LoginRow, hasVerifiedIdentifier: boolean): UserState | undefined {
  if (row.user_id === null) return undefined;
  const { user_id: id, is_active: isActive, auth_version: authVersion } = row;
  const { has_second_factor: hasSecondFactor } = row;
  // The flow finds out.
  const hasMailbox = true;
  return {
    id,
    isActive,
    authVersion,
    hasSecondFactor,
    hasPasskey: false,
    hasVerifiedIdentifier,
    hasMailbox,
    factorChannels: [],
  };
}
