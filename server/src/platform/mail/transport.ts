import { parseIdentifier } from '@keywright/contract/identifiers';
import type { Egress } from '../egress/egress.ts';
import type { Mail, MailOutcome, MailServer } from './mail.ts';
import { outcomeOf } from './outcome.ts';
import type { MailPools } from './pools.ts';

/** For the whole conversation: less than a lease. */
const TIMEOUT_MS = 20_000;

const NO_ADDRESS: MailOutcome = {
  outcome: 'rejected',
  reason: 'address_invalid: This is not one e-mail address.',
  isUnknown: false,
};

/** Sends mails by SMTP, over connections that are kept for a while. */
export interface MailTransport {
  /**
   * Never throws because of the server.
   * @param key names the party and the version of its settings: mails share connections by it
   */
  send(key: string, server: () => MailServer, mail: Mail): Promise<MailOutcome>;
  close(): Promise<void>;
}

export function createMailTransport(
  egress: Egress,
  hostname: () => string,
  timeoutMs = TIMEOUT_MS,
): MailTransport {
  let loaded: Promise<MailPools> | undefined;

  /** Loaded with the first mail. */
  async function load(): Promise<MailPools> {
    const pools = await import('./pools.ts');
    return new pools.MailPools(egress, hostname());
  }

  return {
    async send(key, server, mail) {
      // Nothing else has to understand an address: it may be a list to a lenient parser.
      if (parseIdentifier(mail.to)?.identifier !== mail.to) return NO_ADDRESS;
      loaded ??= load();
      const pools = await loaded;
      try {
        await pools.send(key, server, mail, AbortSignal.timeout(timeoutMs));
        return { outcome: 'accepted' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    async close() {
      (await loaded)?.close();
    },
  };
}
