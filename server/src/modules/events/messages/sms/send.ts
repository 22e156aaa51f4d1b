import type { Clock } from '../../../../platform/clock.ts';
import type { Egress } from '../../../../platform/egress/egress.ts';
import type { Gate } from '../../../../tenancy/gate.ts';
import type { Outcome } from '../../../../tenancy/jobs/jobs.ts';
import type { Breaker } from '../breaker.ts';
import type { MessageRow } from '../message.ts';
import { recordFailing } from '../recorded.ts';
import { PROVIDERS, type SmsOutcome, type TextMessage } from './providers.ts';
import type { SmsRoute } from './route.ts';

/** For the whole call: less than a lease. */
const TIMEOUT_MS = 15_000;
const READ_BYTES = 16 * 1024;

const PAUSED = 'paused: The provider refused the account five times in a row.';

interface SmsDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly breaker: Breaker;
}

/** Sends a text message. Throws only because of an internal error. */
export async function sendSms(
  { gate, clock, egress, breaker }: SmsDependencies,
  { id, tenant_id: tenantId, created_at: createdAt, expires_at: expiresAt }: MessageRow,
  { to, text }: Pick<TextMessage, 'to' | 'text'>,
  route: SmsRoute,
): Promise<Outcome> {
  const { key } = route;
  if (breaker.isPaused(key, clock.now())) return { outcome: 'retry', reason: PAUSED };
  const message = { id, to, text, createdAt, expiresAt, sentAt: clock.now() };
  const result = await sendThrough(egress, route, message);
  if (result.outcome === 'refused') {
    if (breaker.refused(key, clock.now())) await recordFailing(gate, tenantId, result.reason);
  } else if (result.outcome !== 'unavailable') {
    breaker.succeeded(key);
  }
  if (result.outcome === 'accepted') return { outcome: 'done' };
  const { outcome, reason } = result;
  return { outcome: outcome === 'rejected' ? 'failed' : 'retry', reason };
}

async function sendThrough(
  egress: Egress,
  route: SmsRoute,
  message: TextMessage,
): Promise<SmsOutcome> {
  const { build, judge } = PROVIDERS[route.provider];
  const answer = await egress.send({
    method: 'POST',
    ...build(route, message),
    onBehalfOf: route.tenantId,
    timeoutMs: TIMEOUT_MS,
    maxBytes: READ_BYTES,
    truncate: true,
  });
  if (answer.outcome === 'answered') return judge(answer);
  return { outcome: 'unavailable', reason: `${answer.reason}: ${answer.detail}` };
}
