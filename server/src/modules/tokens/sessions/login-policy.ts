import type { Acr } from '@keywright/contract/authentication';
import type { TenantConfig } from '@keywright/contract/records/tenant';

type LoginMethod = TenantConfig['allowed_login_methods'][number];

/**
 * The login method behind each name of a first factor (RFC 8176 §2). `otp` is none: a code by SMS is named `sms` as well,
 * and that of an authenticator came second.
 */
const METHOD_OF: Readonly<Record<string, LoginMethod>> = {
  pwd: 'password',
  email: 'magic_link',
  sms: 'magic_link',
  fed: 'oauth',
  pop: 'passkey',
};
const ALL_METHODS = new Set(Object.values(METHOD_OF));

/** Whether sessions of the tenant may be below its policy: the others cost nothing more. */
export function hasDemands(config: TenantConfig): boolean {
  const { allowed_login_methods: allowed, require_mfa, require_mfa_role } = config;
  const requires = require_mfa || require_mfa_role !== null || config.require_verified_identifier;
  return requires || allowed.length < ALL_METHODS.size;
}

/** Whether a login with these methods, at this level, would be accepted today. */
export function isAccepted(
  { acr, amr }: { readonly acr: Acr; readonly amr: readonly string[] },
  config: TenantConfig,
  requiresSecondFactor: boolean,
): boolean {
  if (requiresSecondFactor && acr === 'aal1' && !isSecondByMail(amr, config)) return false;
  const accepted = acceptedNames(config);
  return amr.some((name) => accepted.includes(name));
}

/** Whether it counts as two factors only because a provider said so (kw_lacks_own_factor). A code by SMS is no own factor. */
export function restsOnProvider({
  acr,
  amr,
}: {
  readonly acr: Acr;
  readonly amr: readonly string[];
}): boolean {
  const hasOwn = amr.includes('recovery') || (amr.includes('otp') && !amr.includes('sms'));
  return acr === 'aal2' && amr.includes('fed') && !hasOwn;
}

/** A mailbox beside another factor satisfies the tenant that chose it, and stays aal1. */
function isSecondByMail(
  amr: readonly string[],
  { mfa_methods: accepted }: Pick<TenantConfig, 'mfa_methods'>,
): boolean {
  const isOther = (name: string) => name !== 'email' && Object.hasOwn(METHOD_OF, name);
  return accepted.includes('email') && amr.includes('email') && amr.some(isOther);
}

/** Of these a login needs one in its `amr`. */
export function acceptedNames({ allowed_login_methods: allowed }: TenantConfig): string[] {
  return Object.keys(METHOD_OF).filter((name) => allowed.includes(METHOD_OF[name] as LoginMethod));
}
