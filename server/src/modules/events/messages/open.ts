import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { FallbackMail } from '../../../platform/settings.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import { linkOf, messageSecrets } from '../../authentication/message-codes/index.ts';
import { destinationPlace, type MessageRow } from './message.ts';
import type { Values } from './render.ts';
import { type Route, routeOf } from './servers.ts';
import type { Sender } from './store.ts';
import { suppressionId, suppressionPlace } from './suppressed.ts';
import type { NewSuppression } from './suppressions-store.ts';

export interface OpenDependencies {
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  /** For tenants without a mail server. */
  readonly fallback: FallbackMail | undefined;
}

/** What of a message is encrypted or derived. */
export interface Opened {
  readonly to: string;
  readonly values: Values;
  readonly route: Route | undefined;
  /** To be stored if the mailbox does not exist. */
  readonly bounce: NewSuppression;
}

const MINUTE_MS = 60_000;

/** @returns undefined for a tenant that was deleted */
export async function open(
  { dataKeys, clock, baseUrl, fallback }: OpenDependencies,
  message: MessageRow,
  sender: Sender,
): Promise<Opened | undefined> {
  const { tenant_id: tenantId, id, challenge_id: challengeId, kind } = message;
  const { name, issuer, branding } = sender;
  try {
    return await dataKeys.use(tenantId, (dataKey) => {
      const place = destinationPlace(tenantId, id);
      const to = unseal(dataKey, message.destination, place).toString();
      const secrets =
        challengeId === null ? undefined : messageSecrets(dataKey, { id: challengeId, kind });
      const leftMs = message.expires_at.getTime() - clock.now().getTime();
      const values = {
        company: branding.company_name ?? name,
        support_email: branding.support_email,
        identifier: to,
        ...message.vars,
        ...(secrets && {
          code: secrets.code,
          link: linkOf(issuer ?? issuerOf(tenantId, baseUrl()), secrets.linkToken),
        }),
        minutes: String(Math.max(1, Math.floor(leftMs / MINUTE_MS))),
      };
      const suppression = suppressionId(dataKey, to);
      const sealed = seal(dataKey, Buffer.from(to), suppressionPlace(tenantId, suppression));
      return {
        to,
        values,
        route: routeOf(tenantId, sender, fallback, dataKey),
        bounce: { id: suppression, address: to, sealed, reason: 'bounce' },
      };
    });
  } catch (error) {
    if (error instanceof DataKeyGone) return undefined;
    throw error;
  }
}
