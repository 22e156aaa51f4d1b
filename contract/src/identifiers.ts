export type IdentifierType = 'email' | 'phone';

export interface Identifier {
  readonly type: IdentifierType;
  /** Normalised: the form that is stored, compared and shown. */
  readonly identifier: string;
}

/** RFC 5321 §4.5.3.1: local part 64, domain 255, whole path 254 without its brackets. */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** RFC 1035 §2.3.1, also with a leading digit. */
const DOMAIN_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** A URL parser would truncate, drop or decode other characters. */
const INTERNATIONAL = /^[\p{L}\p{N}\p{M}.-]+$/u;
const ASCII = /^\p{ASCII}*$/u;
/** A label in the ASCII form of an internationalised one, or with its prefix. */
const ENCODED = /(^|\.)xn--/;
/** E.164: a plus and at most fifteen digits, the first one not zero. */
const PHONE = /^\+[1-9][0-9]{6,14}$/;

/**
 * Parses an e-mail address or a phone number, normalised by NFKC and lower case, the domain in ASCII (UTS 46), so that
 * one mailbox has one identifier. Rejects quoted local parts, comments, control characters, white space, more than one
 * `@`, and characters that NFKC turns into an `@`.
 * @returns undefined for anything else
 */
export function parseIdentifier(text: string): Identifier | undefined {
  if (text.length > MAX_EMAIL) return undefined;
  if (PHONE.test(text)) return { type: 'phone', identifier: text };
  return parseEmail(text);
}

function parseEmail(text: string): Identifier | undefined {
  // A look-alike such as U+FF20 becomes a second `@` under NFKC, so they are counted before.
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

/** @returns undefined if UTS 46 knows no ASCII form */
function asciiDomain(domain: string): string | undefined {
  if (ASCII.test(domain) && !ENCODED.test(domain)) return domain;
  if (!INTERNATIONAL.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  return new URL(`http://${domain}`).hostname;
}

/** A search term in the normalised form of identifiers. */
export function searchForm(text: string): string {
  const normalised = text.normalize('NFKC').toLowerCase();
  if (ASCII.test(normalised)) return normalised;
  const [before = '', after, ...rest] = normalised.split('@');
  if (rest.length > 0) return normalised;
  // Without an @ it is part of a domain only if it has a dot and cannot be part of the local part.
  if (after === undefined) return before.includes('.') ? (asciiDomain(before) ?? before) : before;
  return `${before}@${asciiDomain(after) ?? after}`;
}
