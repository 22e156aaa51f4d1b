import { isIP } from 'node:net';
import type { MessageKind } from '@keywright/contract/messages';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { previewMessage } from '@keywright/contract/routes/messages';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Answered } from '../../../platform/egress/outcome.ts';
import type { Reason } from '../../../platform/coded-reason.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import { secretKeysOf, signatureHeaders } from '../webhooks/index.ts';
import { fill, flattened } from './mail-rendering.ts';
import { findSenderIn } from './message-store.ts';
import { DUMMY_CODE, type Languages, SMS_KINDS, type SmsKind, chooseSms } from './message-texts.ts';
import type { MessageRow, Values } from './message.ts';
import { brandOf, type ServerBreaker, type SmsRoute } from './outgoing-message.ts';

/** The timeout of the whole call, shorter than a lease. */
export const TIMEOUT_MS = 15_000;
const READ_BYTES = 16 * 1024;

const PAUSED: Reason = {
  code: 'paused',
  detail: 'The provider rejected the account five times in a row.',
};

/** Sends a text message. Throws only on an internal error. */
export async function sendSms(
  egress: Egress,
  breaker: ServerBreaker,
  route: SmsRoute,
  { id, tenant_id: tenantId, created_at: createdAt, expires_at: expiresAt }: MessageRow,
  { to, text, sentAt }: Pick<TextMessage, 'to' | 'text' | 'sentAt'>,
): Promise<Outcome> {
  const { key } = route;
  if (breaker.isPaused(key)) return { outcome: 'retry', reason: PAUSED };
  const message = { id, to, text, createdAt, expiresAt, sentAt };
  const result = await sendThrough(egress, route, message);
  if (result.outcome === 'refused') {
    await breaker.refused(key, tenantId, result.reason);
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
  const { reason: code, detail } = answer;
  return { outcome: 'unavailable', reason: { code, detail } };
}

/** A text message, ready to send. */
export interface TextMessage {
  /** The same for every attempt, so that the receiver recognizes a repeat. */
  readonly id: string;
  /** In E.164 form. */
  readonly to: string;
  readonly text: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly sentAt: Date;
}

interface SmsRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * - `rejected`: the provider will never accept this message.
 * - `refused`: the provider refuses the account.
 * - `unavailable`: the provider might accept the message later.
 */
type SmsOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'rejected' | 'refused' | 'unavailable'; readonly reason: Reason };

interface Provider {
  readonly build: (route: SmsRoute, message: TextMessage) => SmsRequest;
  readonly judge: (answer: Answered) => SmsOutcome;
}

const PROVIDERS: Readonly<Record<SmsRoute['provider'], Provider>> = {
  twilio: {
    build: (route, { to, text }) => ({
      url: `${baseOf(route, 'https://api.twilio.com')}/2010-04-01/Accounts/${encodeURIComponent(route.account)}/Messages.json`,
      headers: formOf(route),
      body: new URLSearchParams({
        To: to,
        [/^MG[0-9a-f]{32}$/.test(route.from) ? 'MessagingServiceSid' : 'From']: route.from,
        Body: text,
      }).toString(),
    }),
    judge: (answer) => judgeStatus(answer, numberAt(jsonOf(answer), 'code')),
  },
  vonage: {
    build: (route, { to, text }) => ({
      url: `${baseOf(route, 'https://rest.nexmo.com')}/sms/json`,
      headers: formOf(route),
      body: new URLSearchParams({
        // Neither number has a plus.
        to: to.slice(1),
        from: route.from.replace('+', ''),
        text,
        type: isGsm(text) ? 'text' : 'unicode',
      }).toString(),
    }),
    judge: judgeVonage,
  },
  webhook: {
    build(route, { id, to, text, createdAt, expiresAt, sentAt }) {
      const data = { tenant_id: route.tenantId, to, text, expires_at: expiresAt.toISOString() };
      const created_at = createdAt.toISOString();
      const body = JSON.stringify({ id, type: 'sms.requested', created_at, data });
      const secrets = [secretKeysOf(Buffer.from(route.secret))] as const;
      return {
        url: route.url ?? '',
        headers: {
          'content-type': 'application/json',
          ...signatureHeaders({ id, body, sentAt, secrets }),
        },
        body,
      };
    },
    judge: (answer) => judgeStatus(answer, undefined),
  },
};

function baseOf({ url }: SmsRoute, usual: string): string {
  return (url ?? usual).replace(/\/$/, '');
}

function formOf({ account, secret }: SmsRoute) {
  return {
    authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
}

/** Only the numbers of a response are stored, because it can repeat the request. */
function judgeStatus({ status }: Answered, code: number | undefined): SmsOutcome {
  if (status >= 200 && status < 300) return { outcome: 'accepted' };
  if (status === 401 || (status === 403 && code === undefined)) return refused(status);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const reason = { code: `status_${status}`, detail: `The provider returned ${status}.` };
    return { outcome: 'unavailable', reason };
  }
  return rejected(code ?? status);
}

function refused(code: number): SmsOutcome {
  const detail = `The provider rejected the account. (${code})`;
  return { outcome: 'refused', reason: { code: 'login_refused', detail } };
}

function rejected(code: number): SmsOutcome {
  const detail = 'The provider rejected the message.';
  return { outcome: 'rejected', reason: { code: `sms_${code}`, detail } };
}

/** Problems with the account: wrong credentials, barred, or out of credit. */
const VONAGE_ACCOUNT = [4, 8, 9];
/** Too many requests, or an error at Vonage. */
const VONAGE_LATER = [1, 5];

/** Vonage always responds with 200, and a status for each part of a long message. */
function judgeVonage(answer: Answered): SmsOutcome {
  const parts = arrayAt(jsonOf(answer), 'messages').map((part) => numberAt(part, 'status'));
  if (answer.status !== 200) return judgeStatus(answer, undefined);
  if (parts.includes(0)) return { outcome: 'accepted' };
  const [status] = parts;
  if (status === undefined || VONAGE_LATER.includes(status)) {
    const named = status === undefined ? '' : ` (${status})`;
    const detail = `The provider did not accept the message.${named}`;
    return { outcome: 'unavailable', reason: { code: 'status_200', detail } };
  }
  return VONAGE_ACCOUNT.includes(status) ? refused(status) : rejected(status);
}

function jsonOf({ body }: Answered): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function fieldAt(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Also reads a number from a string of digits. */
function numberAt(value: unknown, name: string): number | undefined {
  const field = String(fieldAt(value, name));
  return /^[0-9]{1,6}$/.test(field) ? Number(field) : undefined;
}

function arrayAt(value: unknown, name: string): readonly unknown[] {
  const field = fieldAt(value, name);
  return Array.isArray(field) ? (field as unknown[]) : [];
}

/** Short enough to fit in a message of 160 characters. */
const COMPANY_CHARACTERS = 30;

export function isSmsKind(kind: MessageKind): kind is SmsKind {
  return SMS_KINDS.some((candidate) => candidate === kind);
}

/**
 * The text of a code by SMS. Its last line restricts autofill by browsers to pages of this host (WebOTP, "origin-bound
 * one-time codes").
 * @param page the tenant's page where users type the code
 */
export async function renderSms(
  kind: SmsKind,
  languages: Languages,
  values: Values,
  page: string,
): Promise<string> {
  const company = Array.from(values['company'] ?? '')
    .slice(0, COMPANY_CHARACTERS)
    .join('');
  const text = fill(await chooseSms(kind, languages), flattened({ ...values, company }));
  const host = URL.parse(page)?.hostname ?? '';
  const isName = host !== '' && isIP(host) === 0 && !host.startsWith('[');
  return isName ? `${text}\n\n@${host} #${values['code'] ?? ''}` : text;
}

/** The common characters of GSM 03.38. Texts with others are sent as UCS-2, with 70 characters per message. */
const GSM = /^[\n\x20-_a-~äöüÄÖÜßéèàùìòñÑåÅøØæÆÉÇ¿¡£¥§]*$/;
/** Each of these takes the space of two characters (3GPP TS 23.038 §6.2.1.1). */
const EXTENDED = /[[\\\]^{|}~]/g;

/** Characters in a single message, and in each part of a longer text (3GPP TS 23.040 §9.2.3.24.1). */
const ROOM = { gsm: [160, 153], ucs2: [70, 67] } as const;

function isGsm(text: string): boolean {
  return GSM.test(text);
}

/** The number of text messages that a text is billed as. */
export function segmentsOf(text: string): number {
  const [alone, each] = isGsm(text) ? ROOM.gsm : ROOM.ucs2;
  const length = text.length + (isGsm(text) ? (text.match(EXTENDED)?.length ?? 0) : 0);
  return length <= alone ? 1 : Math.ceil(length / each);
}

/** The text message of a kind as it would be sent; undefined if the kind has none. */
export async function previewSms(
  tenant: TenantData,
  issuer: string,
  { kind, locale }: Pick<BodyOf<typeof previewMessage>, 'kind' | 'locale'>,
): Promise<OkOf<typeof previewMessage>['sms']> {
  if (!isSmsKind(kind)) return undefined;
  const sender = await tenant.transaction(findSenderIn);
  if (!sender) return undefined;
  const values = { company: brandOf(sender, issuer).name, code: DUMMY_CODE };
  const languages = [locale, ...(sender.config.locales ?? [])];
  const text = await renderSms(kind, languages, values, sender.config.magic_link_url ?? issuer);
  return { text, segments: segmentsOf(text) };
}
