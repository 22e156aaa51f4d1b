import { until } from './until.ts';
import type { MailSink, SunkMail } from './mail-sink.ts';

/** The settings of a service that sends its email to the sink. */
export function mailThrough({ port }: MailSink): Readonly<Record<string, string>> {
  return {
    KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`,
    KEYWRIGHT_MAIL_FROM: 'login@acme.example',
  };
}

const CODE = /\b[0-9]{8}(?:[0-9]{2})?\b/;

/** What a mail carries. */
export interface Mailed {
  readonly code: string;
  readonly linkToken: string;
  readonly mail: SunkMail;
}

/**
 * Counts repeated emails with the same ID once: an email is sent again if a test advances the clock past the end of a
 * lease before the service has recorded that it was sent.
 */
function mailsTo(sink: MailSink, address: string): SunkMail[] {
  const mails = sink.mails.filter(({ to }) => to.includes(address));
  const ids = mails.map(({ parsed }) => parsed.messageId);
  return mails.filter((_, index) => ids.indexOf(ids[index]) === index);
}

/** Waits for the next code to an address. @param skip the number of earlier codes */
export async function mailedTo(sink: MailSink, address: string, skip = 0): Promise<Mailed> {
  const mail = await until(
    `mail to ${address}`,
    () => mailsTo(sink, address).filter(({ parsed }) => CODE.test(parsed.text ?? ''))[skip],
  );
  const text = mail.parsed.text ?? '';
  const [code = ''] = CODE.exec(text) ?? [];
  const [, linkToken = ''] = /#link_token=(\S+)/.exec(text) ?? [];
  return { code, linkToken, mail };
}

/** Waits for a change notice to an address. @returns the undo token @param skip the number of earlier notices */
export function undoTokenTo(sink: MailSink, address: string, skip = 0): Promise<string> {
  return until(`undo to ${address}`, () => {
    const mails = mailsTo(sink, address);
    return mails.flatMap(({ parsed }) => /\bund_[\w.-]+/.exec(parsed.text ?? '') ?? [])[skip];
  });
}
