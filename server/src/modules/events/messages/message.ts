import type { MessageId, TenantId, UserId } from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import type { JobRow } from '../../../tenancy/jobs/store.ts';

/** A message to be sent. Its code and its link are derived from the challenge when it is sent. */
export interface NewMessage {
  readonly kind: MessageKind;
  readonly channel: 'email';
  /** An e-mail address as `parseIdentifier` returns it. */
  readonly destination: string;
  readonly userId: UserId | null;
  /** Of a challenge, of an invitation, or of what the message undoes. */
  readonly challengeId: string | null;
  readonly locale: string | undefined;
  /** Values of the variables, without secrets. */
  readonly vars: Readonly<Record<string, string>>;
  /** It is not sent after this. */
  readonly expiresAt: Date;
  /** Written like any other, and never sent: nobody has this address. */
  readonly isDecoy?: boolean;
}

export interface QueueOutcome {
  readonly id: MessageId;
}

/** A queued message. */
export interface MessageRow extends JobRow {
  readonly id: MessageId;
  readonly kind: MessageKind;
  readonly locale: string | null;
  readonly destination: Buffer;
  readonly masked_destination: string;
  readonly challenge_id: string | null;
  readonly vars: Readonly<Record<string, string>>;
  readonly created_at: Date;
}

/** The place that the address of a message is sealed for. */
export function destinationPlace(tenantId: TenantId, id: MessageId): string {
  return `messages/${tenantId}/${id}/destination`;
}

/** An address as logs show it: `m…@e….org`. */
export function maskAddress(address: string): string {
  const [local = '', domain = ''] = address.split('@');
  const top = domain.lastIndexOf('.');
  const shown = top > 0 ? `${firstOf(domain)}…${domain.slice(top)}` : `${firstOf(domain)}…`;
  return `${firstOf(local)}…@${shown}`;
}

function firstOf(text: string): string {
  return /^./u.exec(text)?.[0] ?? '';
}
