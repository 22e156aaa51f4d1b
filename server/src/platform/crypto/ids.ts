import { randomFillSync } from 'node:crypto';
import {
  type AgentId,
  type ApiKeyId,
  type AuditEntryId,
  type DelegationId,
  type EventId,
  type FactorId,
  ID_PREFIX,
  type InvitationId,
  type LoginFlowId,
  type MessageId,
  type SessionId,
  type SigningKeyId,
  type UserId,
  type WebhookId,
  type IdentityProviderId,
  type ClientSecretId,
  type ConsentId,
  type OAuthResourceId,
  type OAuthClientId,
  type RegistrationTokenId,
  type SignalStreamId,
} from '@keywright/contract/ids';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a unique UUIDv7 (RFC 9562 §5.7) as 26 lowercase Crockford base32 characters, which sorts by time. */
function timeOrdered(now: Date): string {
  return crockford(uuid(now));
}

function uuid(now: Date): Buffer {
  const bytes = pooledRandomBytes(ID_BYTES);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes;
}

let lastMilliseconds = 0;
let sequence = 0;

/** Like `timeOrdered`, but IDs of this process sort in the order of their creation, even within a millisecond. */
function sequential(now: Date): string {
  sequence = now.getTime() === lastMilliseconds ? sequence + 1 : 0;
  lastMilliseconds = now.getTime();
  const bytes = uuid(now);
  // RFC 9562 §6.2, method 1: the 12 bits after the time are a counter.
  bytes.writeUInt16BE(0x7000 | (sequence & 0x0fff), 6);
  return crockford(bytes);
}

/** Encodes 128 bits as 26 characters. The first character holds the upper 3 bits. */
function crockford(bytes: Buffer): string {
  let text = '';
  let rest = 0;
  // 26 characters of 5 bits: the value starts with two zero bits.
  let bits = 2;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((rest >> (bits - 5)) & 31);
    rest &= 31;
  }
  return text;
}

export function newUserId(now: Date): UserId {
  return `${ID_PREFIX.user}${timeOrdered(now)}` as UserId;
}

export function newSessionId(now: Date): SessionId {
  return `${ID_PREFIX.session}${timeOrdered(now)}` as SessionId;
}

export function newSigningKeyId(now: Date): SigningKeyId {
  return `${ID_PREFIX.signingKey}${timeOrdered(now)}` as SigningKeyId;
}

export function newAgentId(now: Date): AgentId {
  return `${ID_PREFIX.agent}${timeOrdered(now)}` as AgentId;
}

export function newApiKeyId(now: Date): ApiKeyId {
  return `${ID_PREFIX.apiKey}${timeOrdered(now)}` as ApiKeyId;
}

export function newWebhookId(now: Date): WebhookId {
  return `${ID_PREFIX.webhook}${timeOrdered(now)}` as WebhookId;
}

export function newIdentityProviderId(now: Date): IdentityProviderId {
  return `${ID_PREFIX.identityProvider}${timeOrdered(now)}` as IdentityProviderId;
}

export function newOAuthResourceId(now: Date): OAuthResourceId {
  return `${ID_PREFIX.oauthResource}${timeOrdered(now)}` as OAuthResourceId;
}

export function newConsentId(now: Date): ConsentId {
  return `${ID_PREFIX.consent}${timeOrdered(now)}` as ConsentId;
}

export function newOAuthClientId(now: Date): OAuthClientId {
  return `${ID_PREFIX.oauthClient}${timeOrdered(now)}` as OAuthClientId;
}

export function newClientSecretId(now: Date): ClientSecretId {
  return `${ID_PREFIX.clientSecret}${timeOrdered(now)}` as ClientSecretId;
}

export function newRegistrationTokenId(now: Date): RegistrationTokenId {
  return `${ID_PREFIX.registrationToken}${timeOrdered(now)}` as RegistrationTokenId;
}

export function newSignalStreamId(now: Date): SignalStreamId {
  return `${ID_PREFIX.signalStream}${timeOrdered(now)}` as SignalStreamId;
}

export function newDelegationId(now: Date): DelegationId {
  return `${ID_PREFIX.delegation}${timeOrdered(now)}` as DelegationId;
}

export function newEventId(now: Date): EventId {
  return `${ID_PREFIX.event}${sequential(now)}` as EventId;
}

export function newMessageId(now: Date): MessageId {
  return `${ID_PREFIX.message}${sequential(now)}` as MessageId;
}

export function newAuditEntryId(now: Date): AuditEntryId {
  return `${ID_PREFIX.auditEntry}${sequential(now)}` as AuditEntryId;
}

export function newLoginFlowId(now: Date): LoginFlowId {
  return `${ID_PREFIX.loginFlow}${sequential(now)}` as LoginFlowId;
}

export function newFactorId(now: Date): FactorId {
  return `${ID_PREFIX.factor}${timeOrdered(now)}` as FactorId;
}

export function newInvitationId(now: Date): InvitationId {
  return `${ID_PREFIX.invitation}${timeOrdered(now)}` as InvitationId;
}

const PREPARED_MS = 24 * 60 * 60 * 1000;
/** The difference that the clocks of two nodes can have. */
const CLOCKS_MS = 60 * 1000;

/** Whether an ID was made within the last day. A client can present it only until then. */
export function isRecentProviderId(id: IdentityProviderId, now: Date): boolean {
  const from = new Date(now.getTime() - PREPARED_MS);
  const until = new Date(now.getTime() + CLOCKS_MS);
  const { identityProvider: prefix } = ID_PREFIX;
  return id >= `${prefix}${timeCharacters(from)}` && id < `${prefix}${timeCharacters(until)}`;
}

/** The characters that hold the 48 bits of time: 3 bits in the first one, the others in nine. */
const TIME_CHARACTERS = 10;

/** Returns a lower bound of the audit entry IDs created from this moment on. Earlier IDs are less. */
export function firstAuditEntryId(moment: Date): string {
  return `${ID_PREFIX.auditEntry}${timeCharacters(moment)}`;
}

function timeCharacters(moment: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(moment.getTime(), 0), 2 ** 48 - 1), 0, 6);
  return crockford(bytes).slice(0, TIME_CHARACTERS);
}

const POOL_BYTES = 4096;
const ID_BYTES = 16;
let pool = Buffer.alloc(0);
let used = 0;

/** Returns random bytes, a view into 4 KiB from the CSPRNG: a tenth of the cost of a separate call each time. */
export function pooledRandomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    pool = randomFillSync(Buffer.alloc(POOL_BYTES));
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

/** Returns a unique ID, such as a `jti`: 128 random bits in base64url. */
export function randomId(): string {
  return pooledRandomBytes(ID_BYTES).toString('base64url');
}
