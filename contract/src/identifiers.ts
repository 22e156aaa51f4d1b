export type IdentifierType = 'email' | 'phone';

export interface Identifier {
  readonly type: IdentifierType;
  /** Normalised: what is stored, compared and shown. */
  readonly identifier: string;
}

/** RFC 5321 §4.5.3.1: local part 64, domain 255, the whole path 254 without its brackets. */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
/** E.164: a plus and at most fifteen digits, the first not zero. */
const PHONE = /^\+[1-9][0-9]{6,14}$/;

/**
 * Reads an e-mail address or a phone number, normalised by NFKC and lower case.
 * Anything else is nothing: quoted local parts, comments, controls, white space, more than one `@`, and
 * characters that only look like an `@` before normalisation.
 */
export function parseIdentifier(text: string): Identifier | undefined {
  if (text.length > MAX_EMAIL) return undefined;
  if (PHONE.test(text)) return { type: 'phone', identifier: text };
  return parseEmail(text);
}

function parseEmail(text: string): Identifier | undefined {
  // A look-alike such as U+FF20 would turn into a second meaning of `@` after NFKC, so it is counted before.
  if (text.split('@').length !== 2) return undefined;
  const normalised = text.normalize('NFKC').toLowerCase();
  const [local, domain, ...rest] = normalised.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return undefined;
  if (normalised.length > MAX_EMAIL || local.length > MAX_LOCAL) return undefined;
  if (!LOCAL_PART.test(local) || !domain.split('.').every((label) => DOMAIN_LABEL.test(label))) {
    return undefined;
  }
  return { type: 'email', identifier: normalised };
}
