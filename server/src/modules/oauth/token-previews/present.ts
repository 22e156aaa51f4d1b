import type { PreviewedClaim, PreviewedMapping } from '@keywright/contract/records/token-preview';
import { placesOf } from '../../tokens/sessions/index.ts';
import { originOf } from '../claims/index.ts';
import type { KnownClient } from '../clients/index.ts';
import { type CustomClaims, isOfALogin, objectionTo } from './rules.ts';

type Claims = Readonly<Record<string, unknown>>;

export function presentAccessToken(claims: Claims, mapping: CustomClaims): PreviewedClaim[] {
  const places = new Map(placesOf(mapping));
  return entriesOf(claims).map(([name, value]) => {
    const usual = isOfALogin(name) ? 'login' : 'service';
    return { name, value, origin: places.get(name)?.source ?? usual };
  });
}

export function presentIdToken(
  { subject_type: subjects }: Pick<KnownClient, 'subject_type'>,
  claims: Claims,
): PreviewedClaim[] {
  return entriesOf(claims).map(([name, value]) => {
    const usual = isOfALogin(name) ? 'login' : 'service';
    const origin = originOf(name) ?? usual;
    return name === 'sub' && subjects === 'pairwise' ? { name, origin } : { name, value, origin };
  });
}

/** As they are in a token. */
function entriesOf(claims: Claims) {
  return Object.entries(claims).filter(([, value]) => value !== undefined);
}

/** What became of each custom claim. @param claims those of the access token */
export function presentMapping(mapping: CustomClaims, claims: Claims): PreviewedMapping[] {
  const sorted = placesOf(mapping).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, place]) => Object.assign({ name }, place, outcomeOf(name, claims)));
}

function outcomeOf(name: string, claims: Claims): Pick<PreviewedMapping, 'outcome' | 'reason'> {
  const reason = objectionTo(name);
  if (reason !== undefined) return { outcome: 'refused', reason };
  return { outcome: Object.hasOwn(claims, name) ? 'added' : 'no_value' };
}
