import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/sealed.ts';

/** RFC 9126 §2.2. */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';

const REFERENCE = /^[A-Za-z0-9_-]{43}$/;

/** A new `request_uri`, 256 random bits that only the client is told. */
export function newRequestUri(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Under which a request is stored: whoever reads the table cannot use it. Undefined for what is no `request_uri` of ours. */
export function idOfRequestUri(uri: string): Buffer | undefined {
  const reference = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
  return REFERENCE.test(reference) ? sha256(reference) : undefined;
}

/** Whether a `request_uri` is of a request that was pushed here, and not an address to fetch one from. */
export function isOfPushedRequest(uri: string): boolean {
  return uri.startsWith(PREFIX);
}
