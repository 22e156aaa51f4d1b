import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ID_PREFIX, type InvitationId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import { showInvitation } from '@keywright/contract/routes/invitation-pages';
import { openLink } from '@keywright/contract/routes/login-returns';
import { showUndo } from '@keywright/contract/routes/undo-pages';
import { randomId } from '../../../platform/crypto/ids.ts';
import { takeSecretKey } from '../../../platform/crypto/sealed.ts';

const PREFIX = 'chl_';
/** The prefix of challenges with longer codes. The length of a code never changes during its challenge. */
const LONG_PREFIX = 'chx_';
/** The prefix of challenges by text message: their codes are copied between screens, or filled in by the phone. */
const SHORT_PREFIX = 'chs_';
const UNDO_PREFIX = 'und_';
const DIGITS = 8;
const LONG_DIGITS = 10;
const SHORT_DIGITS = 6;

/** The purpose of a code, which is useless for anything else. */
interface Challenge {
  readonly id: string;
  readonly kind: string;
}

/** The secrets of a message. They are derived where they are needed, and never stored. */
export interface MessageSecrets {
  /** 8 digits; 6 in a text message; 10 for a challenge that started while codes of the tenant were being guessed. */
  readonly code: string;
  /** The ID of the challenge and 256 bits. */
  readonly linkToken: string;
}

/** @param channel the channel of its message */
export function newChallengeId(
  channel: MessageChannel,
  { isLong }: { readonly isLong: boolean },
): string {
  const prefix = channel === 'sms' ? SHORT_PREFIX : PREFIX;
  return `${isLong ? LONG_PREFIX : prefix}${randomId()}`;
}

/** Whether the code of a challenge is too long to be guessed. */
export function hasLongCode(id: string): boolean {
  return id.startsWith(LONG_PREFIX);
}

/** Derives the secrets of a message. They never change during a challenge, so that a resent message repeats them. */
export function messageSecrets(dataKey: Buffer, challenge: Challenge): MessageSecrets {
  const key = keyOf(dataKey);
  return { code: codeOf(key, challenge), linkToken: linkTokenOf(key, challenge) };
}

/** In constant time. */
export function isRightCode(dataKey: Buffer, challenge: Challenge, candidate: string): boolean {
  return areEqual(codeOf(keyOf(dataKey), challenge), candidate);
}

/** In constant time. */
export function isRightLinkToken(
  dataKey: Buffer,
  challenge: Challenge,
  candidate: string,
): boolean {
  return areEqual(linkTokenOf(keyOf(dataKey), challenge), candidate);
}

/** The challenge that a link claims to belong to; undefined for a text that is not a link token. */
export function challengeOfLink(linkToken: string): string | undefined {
  return /^([A-Za-z0-9_-]{16,64})\.[A-Za-z0-9_-]{43}$/.exec(linkToken)?.[1];
}

export function newUndoId(): string {
  return `${UNDO_PREFIX}${randomId()}`;
}

/** Whether the ID belongs to a change that can be undone, and not to a challenge. */
export function isUndoId(id: string): boolean {
  return id.startsWith(UNDO_PREFIX);
}

/** The ID of an undo and 256 bits. This token lets the reader of the message undo a change of identifiers. */
export function undoTokenOf(dataKey: Buffer, id: string): string {
  return `${id}.${mac(keyOf(dataKey), 'undo', { id, kind: 'undo' }).toString('base64url')}`;
}

/** Checks an undo token in constant time. @returns its undo; undefined for any other text */
export function undoOfToken(dataKey: Buffer, candidate: string): string | undefined {
  const id = challengeOfLink(candidate);
  if (id === undefined || !isUndoId(id)) return undefined;
  return areEqual(undoTokenOf(dataKey, id), candidate) ? id : undefined;
}

/** Whether the ID belongs to an invitation, and not to a challenge. */
export function isInvitationId(id: string): boolean {
  return id.startsWith(ID_PREFIX.invitation);
}

/** The ID of an invitation and 256 bits. This token lets the reader of the message accept the invitation. */
export function invitationTokenOf(dataKey: Buffer, id: string): string {
  return `${id}.${mac(keyOf(dataKey), 'invitation', { id, kind: 'invitation' }).toString('base64url')}`;
}

/** Checks an invitation token in constant time. @returns its invitation; undefined for any other text */
export function invitationOfToken(dataKey: Buffer, candidate: string): InvitationId | undefined {
  const id = challengeOfLink(candidate);
  if (id === undefined || !isInvitationId(id)) return undefined;
  return areEqual(invitationTokenOf(dataKey, id), candidate) ? (id as InvitationId) : undefined;
}

function keyOf(dataKey: Buffer): KeyObject {
  const bytes = hkdfSync('sha256', dataKey, '', 'keywright message codes', 32);
  return takeSecretKey(Buffer.from(bytes));
}

/** Returns 128 bits modulo 10^6, 10^8 or 10^10, so that no code is noticeably more frequent than another. */
function codeOf(key: KeyObject, challenge: Challenge): string {
  const bytes = mac(key, 'code', challenge);
  const number = (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8);
  const digits = digitsOf(challenge.id);
  return String(number % 10n ** BigInt(digits)).padStart(digits, '0');
}

function digitsOf(id: string): number {
  if (hasLongCode(id)) return LONG_DIGITS;
  return id.startsWith(SHORT_PREFIX) ? SHORT_DIGITS : DIGITS;
}

function linkTokenOf(key: KeyObject, challenge: Challenge): string {
  return `${challenge.id}.${mac(key, 'link', challenge).toString('base64url')}`;
}

function mac(
  key: KeyObject,
  purpose: 'code' | 'link' | 'undo' | 'invitation',
  { id, kind }: Challenge,
): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, kind, id]))
    .digest();
}

function areEqual(right: string, candidate: string): boolean {
  const [left, other] = [Buffer.from(right), Buffer.from(candidate)];
  return left.length === other.length && timingSafeEqual(left, other);
}

/** The URL of a link in a message. Browsers send its fragment neither to servers nor in a Referer. */
export function linkOf(page: string, linkToken: string): string {
  return `${page}#link_token=${linkToken}`;
}

/** The URL of a link on a page of the service, which needs no script: no log contains the query with the token. */
export function pageLinkOf(issuer: string, linkToken: string): string {
  return `${issuer}${openLink.path}?${new URLSearchParams({ link_token: linkToken }).toString()}`;
}

/** The URL of a link that undoes a change. */
export function undoLinkOf(page: string, undoToken: string): string {
  return `${page}#undo_token=${undoToken}`;
}

/** The URL of a link to the page of the service that undoes a change. */
export function undoPageOf(issuer: string, token: string): string {
  return `${issuer}${showUndo.path}?${new URLSearchParams({ token }).toString()}`;
}

/** The URL of a link that accepts an invitation. */
export function invitationLinkOf(page: string, token: string): string {
  return `${page}#token=${token}`;
}

/** The URL of a link to the page of the service that accepts an invitation. */
export function invitationPageOf(issuer: string, token: string): string {
  return `${issuer}${showInvitation.path}?${new URLSearchParams({ token }).toString()}`;
}
