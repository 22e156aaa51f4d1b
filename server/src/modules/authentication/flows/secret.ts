import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/sealed.ts';

const PREFIX = 'lft_';
const BYTES = 32;

/** The secret of a new flow: 256 bits. */
export function newFlowToken(): string {
  return `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
}

/** What is stored of it. */
export function flowTokenHash(token: string): Buffer {
  return sha256(`flow token ${token}`);
}
