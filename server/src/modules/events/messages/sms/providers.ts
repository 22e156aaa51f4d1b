import { isGsm } from './segments.ts';
import type { Answered } from '../../../../platform/egress/outcome.ts';
import { secretKeysOf, signatureHeaders } from '../../webhooks/index.ts';
import type { SmsRoute } from './route.ts';

/** A text message as it is sent. */
export interface TextMessage {
  /** Of every attempt, so that a receiver recognises a repeat. */
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
 * - `rejected`: this message is never accepted.
 * - `refused`: the account is.
 * - `unavailable`: it may be accepted later.
 */
export type SmsOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'rejected' | 'refused' | 'unavailable'; readonly reason: string };

interface Provider {
  readonly build: (route: SmsRoute, message: TextMessage) => SmsRequest;
  readonly judge: (answer: Answered) => SmsOutcome;
}

export const PROVIDERS: Readonly<Record<SmsRoute['provider'], Provider>> = {
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
        // Without a plus, of senders, too.
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

/** Answers may repeat what was sent, so only their numbers are kept. */
function judgeStatus({ status }: Answered, code: number | undefined): SmsOutcome {
  if (status >= 200 && status < 300) return { outcome: 'accepted' };
  if (status === 401 || (status === 403 && code === undefined)) return refused(status);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { outcome: 'unavailable', reason: `status_${status}: The provider answered ${status}.` };
  }
  return rejected(code ?? status);
}

function refused(code: number): SmsOutcome {
  return {
    outcome: 'refused',
    reason: `login_refused: The provider refused the account. (${code})`,
  };
}

function rejected(code: number): SmsOutcome {
  return { outcome: 'rejected', reason: `sms_${code}: The provider refused the message.` };
}

/** Of an account: wrong credentials, barred, without credit. */
const VONAGE_ACCOUNT = [4, 8, 9];
/** Too many requests, and an error of theirs. */
const VONAGE_LATER = [1, 5];

/** It answers 200 in any case, with a status for each part of a long message. */
function judgeVonage(answer: Answered): SmsOutcome {
  const parts = arrayAt(jsonOf(answer), 'messages').map((part) => numberAt(part, 'status'));
  if (answer.status !== 200) return judgeStatus(answer, undefined);
  if (parts.includes(0)) return { outcome: 'accepted' };
  const [status] = parts;
  if (status === undefined || VONAGE_LATER.includes(status)) {
    const named = status === undefined ? '' : ` (${status})`;
    return { outcome: 'unavailable', reason: `status_200: The provider took no message.${named}` };
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

/** Also as a text of digits. */
function numberAt(value: unknown, name: string): number | undefined {
  const field = String(fieldAt(value, name));
  return /^[0-9]{1,6}$/.test(field) ? Number(field) : undefined;
}

function arrayAt(value: unknown, name: string): readonly unknown[] {
  const field = fieldAt(value, name);
  return Array.isArray(field) ? (field as unknown[]) : [];
}
