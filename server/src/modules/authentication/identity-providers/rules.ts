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

/** Whether nobody could log in without an identity provider. Undefined: the default, which has other methods. */
export function needsProvider(methods: readonly string[] | undefined): boolean {
  return methods !== undefined && methods.every((method) => method === 'oauth');
}
