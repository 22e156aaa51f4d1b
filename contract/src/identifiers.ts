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
/** RFC 1035 §2.3.1, with digits in front. */
const DOMAIN_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Anything else, a URL parser would cut off, drop or decode. */
const INTERNATIONAL = /^[\p{L}\p{N}\p{M}.-]+$/u;
const ASCII = /^\p{ASCII}*$/u;
/** A label that is in the ASCII form of an internationalised one, or says so. */
const ENCODED = /(^|\.)xn--/;
/** E.164: a plus and at most fifteen digits, the first not zero. */
const PHONE = /^\+[1-9][0-9]{6,14}$/;

/**
 * Reads an e-mail address or a phone number, normalised by NFKC and lower case, the domain in ASCII (UTS 46): one
 * mailbox is one identifier, however its domain is written.
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
  const [local = '', typedDomain = '', ...rest] = normalised.split('@');
  if (rest.length > 0) return undefined;
  const domain = asciiDomain(typedDomain);
  if (domain === undefined || !domain.split('.').every((label) => DOMAIN_LABEL.test(label))) {
    return undefined;
  }
  const identifier = `${local}@${domain}`;
  const isShort = identifier.length <= MAX_EMAIL && normalised.length <= MAX_EMAIL;
  if (!isShort || local.length > MAX_LOCAL || !LOCAL_PART.test(local)) return undefined;
  return { type: 'email', identifier };
}

/** Nothing where UTS 46 knows no ASCII form. */
function asciiDomain(domain: string): string | undefined {
  if (ASCII.test(domain) && !ENCODED.test(domain)) return domain;
  if (!INTERNATIONAL.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  return new URL(`http://${domain}`).hostname;
}

/** What is looked for among identifiers, in the form that they have: part of an address or a number. */
export function searchForm(text: string): string {
  const normalised = text.normalize('NFKC').toLowerCase();
  if (ASCII.test(normalised)) return normalised;
  const [before = '', after, ...rest] = normalised.split('@');
  if (rest.length > 0) return normalised;
  // Without an @ it is a part of a domain only where it has a dot and is no part of a name in front of one.
  if (after === undefined) return before.includes('.') ? (asciiDomain(before) ?? before) : before;
  return `${before}@${asciiDomain(after) ?? after}`;
}
