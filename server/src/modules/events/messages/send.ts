import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import { linkOf, messageSecrets } from '../../authentication/message-codes/index.ts';
import type { DevelopmentMailbox } from './development.ts';
import { destinationPlace, type MessageRow } from './message.ts';
import { findSender, type Sender } from './store.ts';
import type { Values } from './render.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  /** Undefined in production. */
  readonly mailbox: DevelopmentMailbox | undefined;
}

/** Sends one message. Throws only because of an internal error. */
export type SendMessage = (message: MessageRow) => Promise<Outcome>;

const MINUTE_MS = 60_000;

export function createSendMessage(dependencies: Dependencies): SendMessage {
  const { gate, clock, mailbox } = dependencies;
  return async (message) => {
    const sender = await findSender(gate.into(message.tenant_id));
    const opened = sender && (await open(dependencies, message, sender));
    if (!opened) return { outcome: 'failed', reason: 'tenant_gone: The tenant was deleted.' };
    if (!mailbox) return NO_MAIL_SERVER;
    const { id, tenant_id: tenantId, kind } = message;
    const { subject, text } = await render(message, sender, opened.values);
    mailbox.show({ id, tenantId, kind, to: opened.to, subject, text, at: clock.now() });
    return { outcome: 'done' };
  };
}

const NO_MAIL_SERVER = {
  outcome: 'failed',
  reason: 'no_mail_server: Neither the tenant nor the service has a mail server.',
} as const;

interface Opened {
  readonly to: string;
  readonly values: Values;
}

/** Its address and the values of its variables. @returns undefined for a tenant that was deleted */
async function open(
  { dataKeys, clock, baseUrl }: Dependencies,
  message: MessageRow,
  { name, issuer, branding }: Sender,
): Promise<Opened | undefined> {
  const { tenant_id: tenantId, id, challenge_id: challengeId, kind } = message;
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
        code: secrets?.code,
        link: secrets && linkOf(issuer ?? issuerOf(tenantId, baseUrl()), secrets.linkToken),
        minutes: String(Math.max(1, Math.floor(leftMs / MINUTE_MS))),
      };
      return { to, values };
    });
  } catch (error) {
    if (error instanceof DataKeyGone) return undefined;
    throw error;
  }
}

/** Loaded with the first message. */
async function render(message: MessageRow, { branding }: Sender, values: Values) {
  const { renderMessage } = await import('./render.ts');
  const { shippedLocale, shippedText } = await import('./texts/texts.ts');
  const locale = shippedLocale([message.locale]);
  const template = await shippedText(locale, message.kind);
  return renderMessage(template, values, { locale, color: branding.primary_color });
}
