import { scopeChallenge } from '@keywright/contract/assurance';
import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import { missingScopes } from '@keywright/contract/scopes';
import type { Clock } from '../../../platform/clock.ts';
import type { Authenticate } from '../../../tenancy/authorization.ts';
import { type Caller, hasLentPermissions, type Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { PresentedCredential } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import { looksLikeRegistrationToken, REGISTRATION_TOKENS } from './secrets.ts';
import { findUsableToken, type TokenRow } from './tokens-store.ts';

/** Of an address that vouches with nothing, and for changes of what is registered. */
const LIMITS = { login_attempts_limit: 10, login_attempts_window: 60 };

/** RFC 6750 §3. */
export const MISSING: FailureOptions = { challenge: 'Bearer' };
export const REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };
const INSUFFICIENT: FailureOptions = {
  detail: 'The token lacks: write:clients.',
  challenge: scopeChallenge(['write:clients']),
};

/** Who vouches for an application. */
export type Registrant =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'token'; readonly token: TokenRow }
  | { readonly kind: 'caller'; readonly caller: Caller };

interface PresentedRegistrant {
  readonly tenant: Tenant;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
}

interface RegistrantDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly authenticate: Authenticate;
}

type RefuseRegistrant = Fail<
  'REGISTRATION_OFF' | 'REGISTRATION_TOKEN_INVALID' | 'SCOPE_REQUIRED' | 'TOO_MANY_ATTEMPTS'
>;

/** Who registers an application (RFC 7591 §3). */
export async function identifyRegistrant(
  dependencies: RegistrantDependencies,
  { tenant, credential, from }: PresentedRegistrant,
  fail: RefuseRegistrant,
): Promise<Registrant> {
  const { oauth_registration: who } = tenant.config;
  if (who === 'off') return fail('REGISTRATION_OFF');
  if (!credential) {
    if (who !== 'open') return fail('REGISTRATION_TOKEN_INVALID', MISSING);
    await requireRoomToRegister(dependencies, tenant, from, fail);
    return { kind: 'anybody' };
  }
  if (looksLikeRegistrationToken(credential.token)) {
    const token = await findToken(dependencies.gate, tenant, credential.token);
    return token ? { kind: 'token', token } : fail('REGISTRATION_TOKEN_INVALID', REJECTED);
  }
  const caller = await findCaller(dependencies, { tenant, credential, from });
  if (!caller) return fail('REGISTRATION_TOKEN_INVALID', REJECTED);
  // Permissions that a user lent are for what they were lent for.
  const lacks = missingScopes(caller.scopes, ['write:clients']).length > 0;
  if (lacks || hasLentPermissions(caller)) fail('SCOPE_REQUIRED', INSUFFICIENT);
  return { kind: 'caller', caller };
}

/** Each writes an entry of the audit log, may call an address, and lets every node read the tenant's clients again. */
export async function requireRoomToRegister(
  dependencies: Pick<RegistrantDependencies, 'gate' | 'clock'>,
  tenant: Tenant,
  from: Origin,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const limits = { counter: 'client registration' as const, limits: LIMITS };
  await requireRoomOfAddress(dependencies, tenant, from, limits, fail);
}

async function findToken(gate: Gate, { id }: Tenant, text: string): Promise<TokenRow | undefined> {
  const hash = REGISTRATION_TOKENS.hash(text);
  return hash && gate.into(id).transaction((tx) => findUsableToken(tx, hash));
}

const UNIDENTIFIED: readonly ErrorCode[] = ['TOKEN_INVALID', 'TENANT_MISMATCH'];

/** Whoever a credential identifies, as for any route; undefined if it is nobody. */
async function findCaller(
  { authenticate }: Pick<RegistrantDependencies, 'authenticate'>,
  { tenant, credential, from }: PresentedRegistrant & { readonly credential: PresentedCredential },
): Promise<Caller | undefined> {
  try {
    const { claimed, alive } = await authenticate(tenant, credential, from);
    return alive === undefined || (await alive) ? claimed : undefined;
  } catch (error) {
    if (error instanceof AppError && UNIDENTIFIED.includes(error.code)) return undefined;
    throw error;
  }
}
