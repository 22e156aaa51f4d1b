export type IdentifierType = 'email' | 'phone';

export interface Identifier {
  readonly type: IdentifierType;
  /** The normalized form, which is stored, compared and displayed. */
  readonly identifier: string;
}

/** RFC 5321 §4.5.3.1: local part 64, domain 255, whole path 254 without its brackets. */
export const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** RFC 1035 §2.3.1, but a leading digit is also allowed. */
const DOMAIN_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Excludes characters that a URL parser would truncate, drop or decode. */
const INTERNATIONAL = /^[\p{L}\p{N}\p{M}.-]+$/u;
const ASCII = /^\p{ASCII}*$/u;
/** Matches a label that is, or looks like, the ASCII form of an internationalized label. */
const ENCODED = /(^|\.)xn--/;
/** E.164: a plus and at most fifteen digits, the first one not zero. */
const PHONE = /^\+[1-9][0-9]{6,14}$/;

/**
 * Parses an email address or a phone number. It is normalized by NFKC and lower case, with the domain in ASCII (UTS
 * 46), so that each mailbox has exactly one identifier. Rejects quoted local parts, comments, control characters,
 * white space, more than one `@`, and characters that NFKC turns into an `@`.
 * @returns undefined for anything else
 */
export function parseIdentifier(text: string): Identifier | undefined {
  if (text.length > MAX_EMAIL) return undefined;
  if (PHONE.test(text)) return { type: 'phone', identifier: text };
  return parseEmail(text);
}

function parseEmail(text: string): Identifier | undefined {
  // NFKC turns look-alikes such as U+FF20 into a second `@`, so the `@` signs are counted before normalizing.
  if (text.split('@').length !== 2) return undefined;
  const normalized = text.normalize('NFKC').toLowerCase();
  const [local = '', typedDomain = '', ...rest] = normalized.split('@');
  if (rest.length > 0) return undefined;
  const domain = asciiDomain(typedDomain);
  if (domain === undefined || !domain.split('.').every((label) => DOMAIN_LABEL.test(label))) {
    return undefined;
  }
  const identifier = `${local}@${domain}`;
  const isShort = identifier.length <= MAX_EMAIL && normalized.length <= MAX_EMAIL;
  if (!isShort || local.length > MAX_LOCAL || !LOCAL_PART.test(local)) return undefined;
  return { type: 'email', identifier };
}

/** @returns undefined if the domain has no ASCII form under UTS 46 */
function asciiDomain(domain: string): string | undefined {
  if (ASCII.test(domain) && !ENCODED.test(domain)) return domain;
  if (!INTERNATIONAL.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  return new URL(`http://${domain}`).hostname;
}

/** Normalizes a search term like an identifier. */
export function searchForm(text: string): string {
  const normalized = text.normalize('NFKC').toLowerCase();
  if (ASCII.test(normalized)) return normalized;
  const [before = '', after, ...rest] = normalized.split('@');
  if (rest.length > 0) return normalized;
  // Without an `@`, the term is treated as a domain only if it contains a dot and cannot be part of a local part.
  if (after === undefined) return before.includes('.') ? (asciiDomain(before) ?? before) : before;
  return `${before}@${asciiDomain(after) ?? after}`;
}
