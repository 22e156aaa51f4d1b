import { createHmac, hkdfSync, timingSafeEqual, verify, X509Certificate } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { TenantId } from '@keywright/contract/ids';
import { type BodyOf, type OkOf, pathTo } from '@keywright/contract/route';
import {
  type getFeedbackAddress,
  type receiveFeedback,
  receiveFeedbackByIssuer,
} from '@keywright/contract/routes/feedback';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Compile } from '../../../platform/compile.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { readJson } from '../../../platform/http/json.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { Caller, Origin } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import { anonymous } from '../journal/index.ts';
import { admitFeedback, isFirstReport } from './message-limits.ts';
import { sealSuppression, suppressWithin } from './message-log.ts';

/** A request to the URL that email providers report to. */
interface FeedbackRequest {
  readonly tenantId: TenantId;
  readonly from: Origin;
  readonly token: string;
  readonly body: FeedbackBody;
}

/** The maximum age of a report. The IDs of reports are stored for longer, so that no report counts twice. */
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_SKEW_MS = 5 * 60_000;

/** Receives bounces and complaints from email providers. */
export class FeedbackService {
  readonly #gate: Gate;
  readonly #dataKeys: DataKeys;
  readonly #baseUrl: () => string;
  readonly #sns: Sns;

  constructor({ gate, dataKeys, egress, clock, baseUrl }: Core) {
    this.#gate = gate;
    this.#dataKeys = dataKeys;
    this.#baseUrl = baseUrl;
    this.#sns = new Sns(egress, clock);
  }

  /** The URL that a tenant's email providers report to. */
  async getAddress(
    tenantId: TenantId,
    caller: Caller,
    fail: Fail<'SCOPE_NOT_HELD'>,
  ): Promise<OkOf<typeof getFeedbackAddress>> {
    await this.#gate.into(tenantId).transaction((tx) => requireAsMuchAsAnyone(tx, caller, fail));
    const token = await this.#dataKeys.use(tenantId, (key) => feedbackToken(key, tenantId));
    const path = pathTo(receiveFeedbackByIssuer, { tenant_id: tenantId, token });
    return { url: this.#baseUrl() + path };
  }

  /** Suppresses the addresses of a report. @returns the number of addresses that were not suppressed before */
  async receive(
    { tenantId, from, token, body }: FeedbackRequest,
    fail: Fail<'NOT_FOUND' | 'FEEDBACK_REFUSED' | 'TOO_MANY_MESSAGES'>,
  ): Promise<number> {
    if (!isLikeToken(token)) fail('NOT_FOUND');
    const isRight = await this.#dataKeys.use(tenantId, (key) =>
      isFeedbackToken(key, tenantId, token),
    );
    if (!isRight) fail('NOT_FOUND');
    const tenant = this.#gate.into(tenantId);
    await tenant.transaction(async (tx) => {
      const retryAfterSeconds = await admitFeedback(tx);
      if (retryAfterSeconds !== undefined) fail('TOO_MANY_MESSAGES', { retryAfterSeconds });
    });
    const report = (await this.#readReport(body)) ?? fail('FEEDBACK_REFUSED');
    if (report === 'confirmed') return 0;
    const { id, at, reason, addresses } = report;
    if (reason === undefined) return 0;
    const sealed = await this.#dataKeys.use(tenantId, (key) =>
      addresses.map((address) => sealSuppression(key, tenantId, address, reason)),
    );
    const by = anonymous(from);
    return tenant.transaction(async (tx) => {
      const ageMs = tx.now.getTime() - at.getTime();
      if (ageMs > MAX_AGE_MS || ageMs < -MAX_SKEW_MS) fail('FEEDBACK_REFUSED');
      if (!(await isFirstReport(tx, id))) return 0;
      let suppressed = 0;
      for (const candidate of sealed) if (await suppressWithin(tx, candidate, by)) suppressed += 1;
      return suppressed;
    });
  }

  /** @returns undefined if the body is forged, or not in a supported format */
  async #readReport(body: FeedbackBody): Promise<Report | 'confirmed' | undefined> {
    const notification = readNotification(body);
    if (!notification) return undefined;
    if (notification.RecordType !== undefined) return postmarkReport(notification);
    if (notification.Type === undefined) return genericReport(notification);
    if (!(await this.#sns.isGenuine(notification))) return undefined;
    if (notification.Type === 'SubscriptionConfirmation') {
      return (await this.#sns.confirm(notification)) ? 'confirmed' : undefined;
    }
    return sesReport(notification);
  }
}

/** The secret part of the URL that email providers report to. It is derived, and never stored. */
function feedbackToken(dataKey: Buffer, tenantId: TenantId): string {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright feedback', 32));
  return createHmac('sha256', key).update(tenantId).digest('base64url');
}

/** In constant time. */
function isFeedbackToken(dataKey: Buffer, tenantId: TenantId, candidate: string): boolean {
  const [right, other] = [feedbackToken(dataKey, tenantId), candidate].map((token) =>
    Buffer.from(token),
  );
  return right?.length === other?.length && timingSafeEqual(right as Buffer, other as Buffer);
}

/** Whether a text could be a token. Other texts are rejected before the tenant's key is read. */
function isLikeToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/**
 * The fields of email providers. They are not in the contract, because some differ only by case, from each other and
 * from those of the service's own format, and generated clients cannot have both.
 */
const ProviderFields = Type.Object({
  /** Amazon SNS or Postmark: the kind of notification. */
  Type: optionalText(64),
  // Amazon SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html
  MessageId: optionalText(128),
  TopicArn: optionalText(512),
  Subject: optionalText(512),
  Message: optionalText(16_384),
  Timestamp: optionalText(64),
  Token: optionalText(1024),
  SubscribeURL: optionalText(2048),
  SignatureVersion: optionalText(8),
  Signature: optionalText(1024),
  SigningCertURL: optionalText(512),
  // Postmark: https://postmarkapp.com/developer/webhooks/bounce-webhook
  RecordType: optionalText(64),
  ID: Type.Optional(Type.Integer()),
  MessageID: optionalText(128),
  Email: optionalText(254),
  BouncedAt: optionalText(64),
});

type FeedbackBody = BodyOf<typeof receiveFeedback>;

/** A report in one of the formats. */
type Notification = FeedbackBody & Static<typeof ProviderFields>;

const checker = lazy(() => Compile(ProviderFields));

/** @returns undefined if a field has another type than its provider documents, or is too long */
function readNotification(body: FeedbackBody): Notification | undefined {
  return checker().Check(body) ? body : undefined;
}

function optionalText(maxLength: number) {
  return Type.Optional(Type.String({ maxLength }));
}

/** The report of an email provider. */
interface Report {
  /** The ID of the report, unique for the tenant and the format. */
  readonly id: string;
  readonly at: Date;
  /** Undefined if the report does not suppress an address. */
  readonly reason: 'bounce' | 'complaint' | undefined;
  /** As `parseIdentifier` returns them. */
  readonly addresses: readonly string[];
}

/** Reads a report in the format of this service. @returns undefined if it is incomplete */
function genericReport({ type, id, email, at }: Notification): Report | undefined {
  if (type === undefined || id === undefined || email === undefined) return undefined;
  return reportOf(`generic ${id}`, at, type, [email]);
}

const POSTMARK_BOUNCES: readonly unknown[] = ['HardBounce', 'BadEmailAddress'];

/** https://postmarkapp.com/developer/webhooks/bounce-webhook */
function postmarkReport(body: Notification): Report | undefined {
  const { RecordType, Type: type, ID, MessageID, Email, BouncedAt } = body;
  const id = ID ?? MessageID;
  if (id === undefined || Email === undefined) return undefined;
  const bounce = RecordType === 'Bounce' && POSTMARK_BOUNCES.includes(type) ? 'bounce' : undefined;
  const reason = RecordType === 'SpamComplaint' ? 'complaint' : bounce;
  return reportOf(`postmark ${RecordType} ${id}`, BouncedAt, reason, [Email]);
}

/** Reads the report of Amazon SES from an SNS notification with a verified signature. */
function sesReport({ MessageId, Timestamp, Message = '' }: Notification): Report | undefined {
  const event = parsed(Message);
  const kind = event['notificationType'] ?? event['eventType'];
  const id = `sns ${MessageId}`;
  const bounce = objectOf(event['bounce']);
  if (kind === 'Bounce' && bounce['bounceType'] === 'Permanent') {
    return reportOf(id, Timestamp, 'bounce', addressesOf(bounce['bouncedRecipients']));
  }
  const complaint = objectOf(event['complaint']);
  // RFC 6430: the owner reports that the email is not spam.
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
    .map((token) => parseIdentifier(token))
    .flatMap((token) => (token?.type === 'email' ? [token.identifier] : []));
  return { id, at, reason, addresses };
}

type Fields = Readonly<Record<string, unknown>>;

/** SES lists at most 50 recipients. */
const MOST_RECIPIENTS = 50;

function addressesOf(recipients: unknown): readonly string[] {
  if (!Array.isArray(recipients)) return [];
  return recipients
    .slice(0, MOST_RECIPIENTS)
    .map((token: unknown) => objectOf(token)['emailAddress'])
    .filter((token) => typeof token === 'string');
}

/** SNS also sends plain texts, such as when a topic is set up. */
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

const HOST = String.raw`https://sns\.[a-z]{2}(-[a-z]+){1,3}-[0-9]{1,2}\.amazonaws\.com(\.cn)?`;
const CERTIFICATE = new RegExp(`^${HOST}/SimpleNotificationService-[0-9a-f]{1,64}\\.pem$`);
const CONFIRMATION = new RegExp(`^${HOST}/\\?Action=ConfirmSubscription&[\\x21-\\x7e]+$`);

const TIMEOUT_MS = 5000;
const MAX_BYTES = 16_384;
const MAX_CERTIFICATES = 32;

const SIGNED_OF_SUBSCRIPTION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const;

/** The signed fields, in their order. */
const SIGNED: Readonly<Record<string, readonly (keyof Notification)[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: SIGNED_OF_SUBSCRIPTION,
  UnsubscribeConfirmation: SIGNED_OF_SUBSCRIPTION,
};

const DIGESTS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256' };

/** Checks notifications of Amazon SNS, and confirms subscriptions. */
export class Sns {
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #certificates = new Cache<string, X509Certificate>(MAX_CERTIFICATES);

  constructor(egress: Egress, clock: Clock) {
    this.#egress = egress;
    this.#clock = clock;
  }

  /** https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
  async isGenuine(notification: Notification): Promise<boolean> {
    const { SignatureVersion = '', Signature = '', SigningCertURL = '' } = notification;
    const digest = DIGESTS[SignatureVersion];
    const text = signedText(notification);
    if (digest === undefined || text === undefined || !CERTIFICATE.test(SigningCertURL)) {
      return false;
    }
    const certificate = await this.#certificateAt(SigningCertURL);
    if (!certificate || !isValidAt(certificate, this.#clock.now())) return false;
    const signature = Buffer.from(Signature, 'base64');
    return verify(digest, Buffer.from(text), certificate.publicKey, signature);
  }

  /** @returns whether SNS accepted the confirmation */
  async confirm({ SubscribeURL = '' }: Notification): Promise<boolean> {
    return CONFIRMATION.test(SubscribeURL) && (await this.#get(SubscribeURL)) !== undefined;
  }

  /** TLS authenticates Amazon. */
  async #certificateAt(url: string): Promise<X509Certificate | undefined> {
    const cached = this.#certificates.get(url);
    if (cached) return cached;
    const certificate = parseCertificate(await this.#get(url));
    if (certificate) this.#certificates.set(url, certificate);
    return certificate;
  }

  async #get(url: string): Promise<Buffer | undefined> {
    const response = await this.#egress.send({
      method: 'GET',
      url,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    return response.outcome === 'answered' && response.status === 200 ? response.body : undefined;
  }
}

/** @returns undefined if a signed field is missing */
function signedText(notification: Notification): string | undefined {
  const names = SIGNED[notification.Type ?? ''];
  const isComplete = names?.every((name) => name === 'Subject' || name in notification);
  if (!names || isComplete !== true) return undefined;
  return names
    .filter((name) => name in notification)
    .map((name) => `${name}\n${String(notification[name])}\n`)
    .join('');
}

function parseCertificate(pem: Buffer | undefined): X509Certificate | undefined {
  try {
    const certificate = pem && new X509Certificate(pem);
    return certificate?.publicKey.asymmetricKeyType === 'rsa' ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}
