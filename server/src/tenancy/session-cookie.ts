import { randomBytes } from 'node:crypto';
import { parseSessionId, type SessionId } from '@keywright/contract/ids';
import { sha256 } from '../platform/crypto/sealed.ts';

const SECRET_BYTES = 32;

/** What is stored of the secret of a browser session. It is none that a refresh token could have. */
function cookieSecretHash(secret: string): Buffer {
  return sha256(`browser session ${secret}`);
}

/** What a cookie names, and the hash of its secret; undefined unless it has the form of one. */
export function readSessionCookie(
  cookie: string | undefined,
): { readonly session: SessionId; readonly secretHash: Buffer } | undefined {
  const at = cookie?.lastIndexOf('.') ?? -1;
  const session = parseSessionId(cookie?.slice(0, Math.max(at, 0)) ?? '');
  if (!cookie || !session) return undefined;
  return { session, secretHash: cookieSecretHash(cookie.slice(at + 1)) };
}

/** The cookie that a browser login sets. The caller that requests the session stores it: no result contains it. */
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
