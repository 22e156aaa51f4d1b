import { randomBytes, timingSafeEqual } from 'node:crypto';
import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';

const TOKEN_BYTES = 32;
const LIFETIME_MS = 60 * 60 * 1000;

/** Whom a first start created, with the secret that it printed. */
export interface FirstAdministrator {
  readonly identifier: string;
  readonly secret: string;
}

/**
 * The link that a first start prints. Only this process knows it: it takes the place of the printed secret for once, and
 * there is nothing of it to steal in the database.
 */
export class FirstLoginLink {
  readonly #clock: Clock;
  #open:
    | { readonly hash: Buffer; readonly until: number; readonly administrator: FirstAdministrator }
    | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the token */
  draw(administrator: FirstAdministrator): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const until = this.#clock.now().getTime() + LIFETIME_MS;
    this.#open = { hash: sha256(token), until, administrator };
    return token;
  }

  /** Whose link it is; undefined once it was used, or is too old. */
  find(tenantId: TenantId, token: string): FirstAdministrator | undefined {
    const open = this.#open;
    if (!open || tenantId !== DEFAULT_TENANT) return undefined;
    const isRight = timingSafeEqual(open.hash, sha256(token));
    return isRight && this.#clock.now().getTime() < open.until ? open.administrator : undefined;
  }

  /** Uses it up. */
  take(tenantId: TenantId, token: string): FirstAdministrator | undefined {
    const found = this.find(tenantId, token);
    if (found) this.#open = undefined;
    return found;
  }
}
