import { CALL_LIMITS } from '../../../server/src/modules/authentication/upstream-logins/provider-client.ts';
import { TIMEOUT_MS as LOGO_MS } from '../../../server/src/modules/branding/brand/logo-service.ts';
import { EVENTS_STORED_SECONDS } from '../../../server/src/modules/events/journal/module.ts';
import { MESSAGES_STORED_SECONDS } from '../../../server/src/modules/events/messages/module.ts';
import { TIMEOUT_MS as SMS_MS } from '../../../server/src/modules/events/messages/text-messages.ts';
import { TIMEOUT_MS as WEBHOOK_MS } from '../../../server/src/modules/events/webhooks/delivery-queue.ts';
import {
  DELAYS_MS as WEBHOOK_DELAYS,
  HOPELESS_AFTER_MS as WEBHOOK_HOPELESS,
  STORED_BYTES,
} from '../../../server/src/modules/events/webhooks/delivery-rules.ts';
import { RETENTION_SECONDS as DELIVERIES } from '../../../server/src/modules/events/webhooks/module.ts';
import { RETENTION_SECONDS as INVITATIONS } from '../../../server/src/modules/identity/invitations/module.ts';
import { FETCH_LIMITS } from '../../../server/src/modules/oauth/clients/client-documents.ts';
import { UNUSED_MS } from '../../../server/src/modules/oauth/clients/client-lifecycle.ts';
import {
  DELAYS_MS as LOGOUT_DELAYS,
  TIMEOUT_MS as LOGOUT_MS,
} from '../../../server/src/modules/oauth/logout/backchannel-logout.ts';
import { RETAINED_SECONDS as SIGNALS } from '../../../server/src/modules/oauth/signals/module.ts';
import { TIMEOUT_MS as SIGNAL_MS } from '../../../server/src/modules/oauth/signals/signal-push.ts';
import {
  DELAYS_MS as SIGNAL_DELAYS,
  HOPELESS_AFTER_MS as SIGNAL_HOPELESS,
} from '../../../server/src/modules/oauth/signals/signal-queue.ts';
import {
  MAX_BYTES as KEYS_BYTES,
  MAX_KEYS,
  TIMEOUT_MS as KEYS_MS,
} from '../../../server/src/modules/tokens/proofs/remote-keys.ts';
import { ENDED_SECONDS } from '../../../server/src/modules/tokens/sessions/module.ts';
import { TIMEOUT_MS as SMTP_MS } from '../../../server/src/platform/mail/transport.ts';
import { inBytes, inMs, inSeconds, type Limit } from './row.ts';

/** The number of attempts, and the delays between them. */
function attempts(delays: readonly number[]): string {
  return `${delays.length + 1} attempts, after ${delays.map(inMs).join(', ')}`;
}

export const OUTGOING: readonly Limit[] = [
  { what: 'Delivery to a webhook', value: inMs(WEBHOOK_MS) },
  { what: 'Retries of a delivery to a webhook', value: attempts(WEBHOOK_DELAYS) },
  {
    what: 'Failures before a webhook is disabled',
    value: `only failures for ${inMs(WEBHOOK_HOPELESS)}`,
  },
  { what: 'Stored part of the response of a webhook', value: inBytes(STORED_BYTES) },
  { what: 'Delivery of a logout token', value: inMs(LOGOUT_MS) },
  { what: 'Retries of a logout token', value: attempts(LOGOUT_DELAYS) },
  { what: 'Push of a security event token', value: inMs(SIGNAL_MS) },
  { what: 'Retries of a security event token', value: attempts(SIGNAL_DELAYS) },
  {
    what: 'Failures before a stream of shared signals is paused',
    value: `only failures for ${inMs(SIGNAL_HOPELESS)}`,
  },
  { what: 'Call to a mail server', value: inMs(SMTP_MS) },
  { what: 'Call to an SMS provider', value: inMs(SMS_MS) },
  {
    what: 'Call to an identity provider',
    value: `${inMs(CALL_LIMITS.timeoutMs)}, ${inBytes(CALL_LIMITS.maxBytes)}`,
  },
  {
    what: 'Key set of a client or an outside issuer',
    value: `${inMs(KEYS_MS)}, ${inBytes(KEYS_BYTES)}, ${MAX_KEYS} keys`,
  },
  {
    what: 'Metadata document of an application',
    value: `${inMs(FETCH_LIMITS.timeoutMs)}, ${inBytes(FETCH_LIMITS.maxBytes)}`,
  },
  { what: 'Logo at a URL', value: inMs(LOGO_MS) },
];

export const RETENTION: readonly Limit[] = [
  { what: 'Events', value: inSeconds(EVENTS_STORED_SECONDS) },
  { what: 'Deliveries of webhooks', value: inSeconds(DELIVERIES) },
  { what: 'The log of messages', value: inSeconds(MESSAGES_STORED_SECONDS) },
  { what: 'Ended sessions', value: inSeconds(ENDED_SECONDS) },
  { what: 'Invitations after they expire', value: inSeconds(INVITATIONS) },
  { what: 'Events of streams of shared signals', value: inSeconds(SIGNALS) },
  {
    what: 'Applications registered without a token or credential, without a consent',
    value: inMs(UNUSED_MS),
  },
];
