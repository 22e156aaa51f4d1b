import { ACR_VALUES, type Acr } from '@keywright/contract/assurance';
import { readClaimsParameter } from './claims-parameter.ts';
import { invalid } from './rejection.ts';
import type { AuthorizationRequest, Rejection } from './request.ts';

const LONGEST_AGE = 10 ** 9;

/** Accepted aliases (OpenID Connect Core §2 defines no values). */
const OTHER_NAMES: ReadonlyMap<unknown, Acr> = new Map([
  ['1', 'aal1'],
  ['2', 'aal2'],
]);

/** How and when the user must have authenticated, and which claims the client requests. */
export function readDemands(
  value: (name: string) => string | undefined,
): Pick<AuthorizationRequest, 'maxAge' | 'acrValues' | 'claims'> | Rejection {
  const age = value('max_age');
  const maxAge = age === undefined ? undefined : Number(age);
  if (age !== undefined && (!/^\d{1,10}$/.test(age) || Number(age) > LONGEST_AGE)) {
    return invalid('max_age must be a number of seconds.');
  }
  const asked = readClaimsParameter(value('claims'));
  if (!asked) return invalid('claims must be a JSON object of at most 4 KiB.');
  const { claims, essentialAcr } = asked;
  const essential = acrsIn(essentialAcr);
  if (essentialAcr.length > 0 && essential.length === 0) {
    const description = 'None of the essential values of acr is known.';
    return { error: 'unmet_authentication_requirements', description };
  }
  const voluntary = acrsIn((value('acr_values') ?? '').split(' '));
  return { maxAge, acrValues: essential.length > 0 ? essential : voluntary, claims };
}

/** Unknown ones are left out. */
function acrsIn(names: readonly unknown[]): Acr[] {
  return names.flatMap((name) => {
    const acr = OTHER_NAMES.get(name) ?? ACR_VALUES.find((one) => one === name);
    return acr ?? [];
  });
}

/** The weakest level that is sufficient. */
export function weakestOf(acrs: readonly Acr[]): Acr | undefined {
  return ACR_VALUES.find((acr) => acrs.includes(acr));
}
