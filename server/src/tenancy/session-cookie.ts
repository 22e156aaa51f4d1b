import { randomBytes } from 'node:crypto';
import { parseSessionId, type SessionId } from '@keywright/contract/ids';
import { sha256 } from '../platform/crypto/sealed.ts';

const SECRET_BYTES = 32;

/** Returns the stored hash of a browser session's secret. No refresh token can have the same hash. */
function cookieSecretHash(secret: string): Buffer {
  return sha256(`browser session ${secret}`);
}

/** Returns the session that a cookie names and the hash of its secret; undefined if the cookie is malformed. */
export function readSessionCookie(
  cookie: string | undefined,
): { readonly session: SessionId; readonly secretHash: Buffer } | undefined {
  const at = cookie?.lastIndexOf('.') ?? -1;
  const session = parseSessionId(cookie?.slice(0, Math.max(at, 0)) ?? '');
  if (!cookie || !session) return undefined;
  return { session, secretHash: cookieSecretHash(cookie.slice(at + 1)) };
}

/**
 * The cookie that a browser login sets. The caller that requests the session stores the cookie, so no result contains
 * it.
 */
export class SessionCookie {
  readonly secretHash: Buffer;
  readonly #secret = randomBytes(SECRET_BYTES).toString('base64url');
  #sessionId: SessionId | undefined;

  constructor() {
    this.secretHash = cookieSecretHash(this.#secret);
  }

  opened(id: SessionId): void {
    this.#sessionId = id;
  }

  /** Undefined until its session is open. */
  get value(): string | undefined {
    return this.#sessionId && `${this.#sessionId}.${this.#secret}`;
  }

  /** The same. */
  get sessionId(): SessionId | undefined {
    return this.#sessionId;
  }
}
