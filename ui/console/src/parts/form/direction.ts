import type { FieldFacts } from '../../api/field-facts.ts';

/** Names of fields whose values are read from left to right in every language. */
const TECHNICAL =
  /ur[il]s?$|_id$|identifier|issuer|domains?$|hosts?$|origins|ips$|endpoint|host$|address|email|slug|claim|scopes|audience|resources|reply_to|username|contacts|aaguids|types$|locales|countries|picture$|_sid$|^from$/;

export function directionOf({ name }: FieldFacts): 'ltr' | 'auto' {
  return TECHNICAL.test(name) ? 'ltr' : 'auto';
}
