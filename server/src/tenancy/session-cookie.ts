import { randomBytes } from 'node:crypto';
import type { SessionId } from '@keywright/contract/ids';
import { sha256 } from '../platform/crypto/sealed.ts';

const SECRET_BYTES = 32;

/** What is stored of the secret of a browser session. It is none that a refresh token could have. */
export function cookieSecretHash(secret: string): Buffer {
  return sha256(`browser session ${secret}`);
}

/** The cookie that a login in a browser leads to. Whoever asks for the session keeps it: no answer contains it. */
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
