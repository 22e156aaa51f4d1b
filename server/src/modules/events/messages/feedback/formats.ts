import { parseIdentifier } from '@keywright/contract/identifiers';
import { readJson } from '../../../../platform/http/json.ts';
import type { Notification } from './notification.ts';

/** What a mail provider reports. */
export interface Report {
  /** Unique for the tenant and the format. */
  readonly id: string;
  readonly at: Date;
  /** Undefined: nothing that suppresses an address. */
  readonly reason: 'bounce' | 'complaint' | undefined;
  /** As `parseIdentifier` returns them. */
  readonly addresses: readonly string[];
}

/** The format of this service. @returns undefined unless it is complete */
export function genericReport({ type, id, email, at }: Notification): Report | undefined {
  if (type === undefined || id === undefined || email === undefined) return undefined;
  return reportOf(`generic ${id}`, at, type, [email]);
}

const POSTMARK_BOUNCES: readonly unknown[] = ['HardBounce', 'BadEmailAddress'];

/** https://postmarkapp.com/developer/webhooks/bounce-webhook */
export function postmarkReport(body: Notification): Report | undefined {
  const { RecordType, Type, ID, MessageID, Email, BouncedAt } = body;
  const id = ID ?? MessageID;
  if (id === undefined || Email === undefined) return undefined;
  const bounce = RecordType === 'Bounce' && POSTMARK_BOUNCES.includes(Type) ? 'bounce' : undefined;
  const reason = RecordType === 'SpamComplaint' ? 'complaint' : bounce;
  return reportOf(`postmark ${RecordType} ${id}`, BouncedAt, reason, [Email]);
}

/** What Amazon SES says in a notification of SNS, whose signature has been verified. */
export function sesReport({
  MessageId,
  Timestamp,
  Message = '',
}: Notification): Report | undefined {
  const event = parsed(Message);
  const kind = event['notificationType'] ?? event['eventType'];
  const id = `sns ${MessageId}`;
  const bounce = objectOf(event['bounce']);
  if (kind === 'Bounce' && bounce['bounceType'] === 'Permanent') {
    return reportOf(id, Timestamp, 'bounce', addressesOf(bounce['bouncedRecipients']));
  }
  const complaint = objectOf(event['complaint']);
  // RFC 6430: the owner says that it is no spam.
  if (kind === 'Complaint' && complaint['complaintFeedbackType'] !== 'not-spam') {
    return reportOf(id, Timestamp, 'complaint', addressesOf(complaint['complainedRecipients']));
  }
  return reportOf(id, Timestamp, undefined, []);
}

function reportOf(
  id: string,
  time: string | undefined,
  reason: Report['reason'],
  emails: readonly string[],
): Report | undefined {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return undefined;
  const addresses = emails
    .map((one) => parseIdentifier(one))
    .flatMap((one) => (one?.type === 'email' ? [one.identifier] : []));
  return { id, at, reason, addresses };
}

type Fields = Readonly<Record<string, unknown>>;

/** SES lists 50 at most. */
const MOST_RECIPIENTS = 50;

function addressesOf(recipients: unknown): readonly string[] {
  if (!Array.isArray(recipients)) return [];
  return recipients
    .slice(0, MOST_RECIPIENTS)
    .map((one: unknown) => objectOf(one)['emailAddress'])
    .filter((one) => typeof one === 'string');
}

/** SNS also sends texts, such as when a topic is set up. */
function parsed(text: string): Fields {
  try {
    return objectOf(readJson(Buffer.from(text)));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
