import { verify, X509Certificate } from 'node:crypto';
import { createCache } from '../../../../platform/cache/cache.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Egress } from '../../../../platform/egress/egress.ts';
import type { Notification } from './notification.ts';

/** Checks notifications of Amazon SNS, and confirms subscriptions. */
export interface Sns {
  /** https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
  isGenuine(notification: Notification): Promise<boolean>;
  /** @returns whether SNS accepted it */
  confirm(notification: Notification): Promise<boolean>;
}

const HOST = String.raw`https://sns\.[a-z]{2}(-[a-z]+){1,3}-[0-9]{1,2}\.amazonaws\.com(\.cn)?`;
const CERTIFICATE = new RegExp(`^${HOST}/SimpleNotificationService-[0-9a-f]{1,64}\\.pem$`);
const CONFIRMATION = new RegExp(`^${HOST}/\\?Action=ConfirmSubscription&[\\x21-\\x7e]+$`);

const TIMEOUT_MS = 5000;
const MAX_BYTES = 16_384;
const CERTIFICATES_KEPT = 32;

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

export function createSns(egress: Egress, clock: Clock): Sns {
  const certificates = createCache<string, X509Certificate>(CERTIFICATES_KEPT);

  async function get(url: string): Promise<Buffer | undefined> {
    const request = { method: 'GET', url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES } as const;
    const got = await egress.send(request);
    return got.outcome === 'answered' && got.status === 200 ? got.body : undefined;
  }

  /** TLS says that it is of Amazon. */
  async function certificateAt(url: string): Promise<X509Certificate | undefined> {
    const known = certificates.get(url);
    if (known) return known;
    const certificate = parseCertificate(await get(url));
    if (certificate) certificates.set(url, certificate);
    return certificate;
  }

  return {
    async isGenuine(notification) {
      const { SignatureVersion = '', Signature = '', SigningCertURL = '' } = notification;
      const digest = DIGESTS[SignatureVersion];
      const text = signedText(notification);
      if (digest === undefined || text === undefined || !CERTIFICATE.test(SigningCertURL)) {
        return false;
      }
      const certificate = await certificateAt(SigningCertURL);
      if (!certificate || !isValidAt(certificate, clock.now())) return false;
      const signature = Buffer.from(Signature, 'base64');
      return verify(digest, Buffer.from(text), certificate.publicKey, signature);
    },
    async confirm({ SubscribeURL = '' }) {
      return CONFIRMATION.test(SubscribeURL) && (await get(SubscribeURL)) !== undefined;
    },
  };
}

/** @returns undefined unless everything that is signed is there */
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
