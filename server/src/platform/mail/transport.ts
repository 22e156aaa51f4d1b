import { parseIdentifier } from '@keywright/contract/identifiers';
import type { Egress } from '../egress/egress.ts';
import type { Mail, MailOutcome, MailServer } from './mail.ts';
import { outcomeOf } from './outcome.ts';
import type { MailPools } from './pools.ts';

/** Timeout for the whole conversation, shorter than a lease. */
export const TIMEOUT_MS = 20_000;

const NO_ADDRESS: MailOutcome = {
  outcome: 'rejected',
  reason: { code: 'address_invalid', detail: 'This is not one email address.' },
  isUnknown: false,
};

/** Sends emails by SMTP, over connections that remain open for a while. */
export class MailTransport {
  readonly #egress: Egress;
  readonly #hostname: () => string;
  readonly #timeoutMs: number;
  #pools: Promise<MailPools> | undefined;

  constructor(egress: Egress, hostname: () => string, timeoutMs = TIMEOUT_MS) {
    this.#egress = egress;
    this.#hostname = hostname;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends an email. Never throws because of the server.
   * @param key names the party and the version of its settings; emails with the same key share connections
   */
  async send(key: string, server: () => MailServer, mail: Mail): Promise<MailOutcome> {
    // Only addresses that our parser accepts are passed on: a lenient parser could read one as a list.
    if (parseIdentifier(mail.to)?.identifier !== mail.to) return NO_ADDRESS;
    this.#pools ??= this.#load();
    const pools = await this.#pools;
    try {
      await pools.send(key, server, mail, AbortSignal.timeout(this.#timeoutMs));
      return { outcome: 'accepted' };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async close(): Promise<void> {
    (await this.#pools)?.close();
  }

  /** With the first mail. */
  async #load(): Promise<MailPools> {
    const pools = await import('./pools.ts');
    return new pools.MailPools(this.#egress, this.#hostname());
  }
}
