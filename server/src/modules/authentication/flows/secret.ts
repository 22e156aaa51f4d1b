import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/sealed.ts';

const PREFIX = 'lft_';
const BYTES = 32;
const DERIVED_BYTES = 16;

/** The secret of a new flow: 256 bits. */
export function newFlowToken(): string {
  return `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
}

/** What a flow is found by, and what its session begins with. */
export interface FlowSecret {
  readonly hash: Buffer;
  /**
   * Of the refresh token that the flow leads to: whoever has the secret can be given that token again, and it is stored
   * nowhere.
   */
  readonly jti: string;
  /** Of the device that it is the first login of. */
  readonly deviceId: Buffer;
}

export function flowSecretOf(token: string): FlowSecret {
  const derived = (what: string) => sha256(`${what} of flow ${token}`).subarray(0, DERIVED_BYTES);
  return {
    hash: flowTokenHash(token),
    jti: derived('refresh token').toString('base64url'),
    deviceId: derived('device'),
  };
}

/** What is stored of it. */
export function flowTokenHash(token: string): Buffer {
  return sha256(`flow token ${token}`);
}
