import type { Egress } from '../../../platform/egress/egress.ts';

/** Why an issuer cannot be used. @returns undefined if it can */
export function objectionToIssuer(
  egress: Pick<Egress, 'findObjection'>,
  issuer: string,
): string | undefined {
  const objection = egress.findObjection(issuer);
  if (objection) return `cannot be called. ${objection.detail}`;
  // OpenID Connect Discovery 1.0 §3: neither a query nor a fragment.
  return /[?#]/.test(issuer) ? 'must have neither a query nor a fragment' : undefined;
}

/** They decide who signs in, not whether a login works: a test does not depend on them. */
const UNTESTED_FIELDS = ['name', 'domains', 'link', 'trust_mfa', 'is_active'];

/** Whether the changed fields include a setting that a login depends on. A new field counts as one until it is listed above. */
export function changesLogins(fields: readonly string[]): boolean {
  return fields.some((field) => !UNTESTED_FIELDS.includes(field));
}

/** Whether users would log in with settings that were not tested. */
export function needsTest(
  before: { readonly is_active: boolean; readonly tested_at: Date | null },
  after: { readonly isActive: boolean; readonly changesLogins: boolean },
): boolean {
  if (!after.isActive) return false;
  return after.changesLogins || (!before.is_active && before.tested_at === null);
}

/** Whether no one could log in without an identity provider. Undefined: the default, which has other methods. */
export function needsProvider(methods: readonly string[] | undefined): boolean {
  return methods !== undefined && methods.every((method) => method === 'oauth');
}
