import type { IncomingHttpHeaders } from 'node:http';
import { startReceiver } from './receiver.ts';
import { until } from './until.ts';

/** A request to a provider, as received. */
export interface SunkSms {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** In E.164 form. */
  readonly to: string;
  readonly text: string;
}

interface SmsAnswer {
  readonly status: number;
  readonly body: string;
}

/** An SMS provider on loopback. */
export interface SmsSink {
  readonly url: string;
  /** The received requests, accepted or not. */
  readonly requests: readonly SunkSms[];
  /** Chooses further responses; undefined: the message is accepted. */
  answer: ((request: SunkSms) => SmsAnswer | undefined) | undefined;
  close(): Promise<void>;
}

type Dialect = 'twilio' | 'vonage' | 'webhook';

/** Each API's response when it accepts a message. */
const ACCEPTED: Readonly<Record<Dialect, (to: string) => SmsAnswer>> = {
  twilio: (to) => ({
    status: 201,
    body: JSON.stringify({ sid: `SM${'0'.repeat(32)}`, status: 'queued', to }),
  }),
  vonage: (to) => ({
    status: 200,
    body: JSON.stringify({
      'message-count': '1',
      messages: [{ to: to.slice(1), status: '0', 'message-id': '0C000000217B7F02' }],
    }),
  }),
  webhook: () => ({ status: 204, body: '' }),
};

const READ: Readonly<Record<Dialect, (body: string) => Pick<SunkSms, 'to' | 'text'>>> = {
  twilio(body) {
    const form = new URLSearchParams(body);
    return { to: form.get('To') ?? '', text: form.get('Body') ?? '' };
  },
  vonage(body) {
    const form = new URLSearchParams(body);
    return { to: `+${form.get('to') ?? ''}`, text: form.get('text') ?? '' };
  },
  webhook: (body) => (JSON.parse(body) as { data: { to: string; text: string } }).data,
};

export async function startSmsSink(dialect: Dialect = 'twilio'): Promise<SmsSink> {
  const requests: SunkSms[] = [];
  let answer: SmsSink['answer'];
  const receiver = await startReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const sms = { method, path, headers, body, ...READ[dialect](body) };
      requests.push(sms);
      const reply = answer?.(sms) ?? ACCEPTED[dialect](sms.to);
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
    });
  });
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    requests,
    get answer() {
      return answer;
    },
    set answer(replacement) {
      answer = replacement;
    },
    close: () => receiver.close(),
  };
}

/** A tenant's account at a provider, which is the sink. */
export function smsThrough({ url }: Pick<SmsSink, 'url'>) {
  return {
    provider: 'twilio',
    account_sid: 'AC0123456789',
    auth_token: 'hush, a token of an account',
    from: '+15005550006',
    url,
  } as const;
}

/** Waits for the next code to a number. @param skip the number of earlier codes */
export function textedTo(sink: SmsSink, number: string, skip = 0): Promise<string> {
  return until(`SMS to ${number}`, () => {
    const texts = sink.requests.filter(({ to }) => to === number);
    return /\b[0-9]{6}(?:[0-9]{4})?\b/.exec(texts[skip]?.text ?? '')?.[0];
  });
}

let numbers = 0;
/** A mobile number in Germany that no other user of the test has. */
export function newNumber(): string {
  return `+4915${String(12_000_000 + (numbers += 1)).padStart(9, '0')}`;
}
