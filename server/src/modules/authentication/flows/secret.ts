import { randomBytes } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { DeviceTokens, KnownDevice } from './device-tokens.ts';

const PREFIX = 'lft_';
const BYTES = 32;
const DERIVED_BYTES = 16;

/** The secret of a new flow: 256 bits. @param device that it carries to the next steps, sealed */
export function newFlowToken(device?: string): string {
  const secret = `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
  return device === undefined ? secret : `${secret}.${device}`;
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
  /** The known device that it was begun on. Whether it is one of the flow's user, their ID and version tell. */
  readonly device: KnownDevice | undefined;
}

export function flowSecretOf(
  deviceTokens: Pick<DeviceTokens, 'openOfFlow'>,
  tenantId: TenantId,
  token: string,
): FlowSecret {
  const [, sealed] = token.split('.');
  const derived = (what: string) => sha256(`${what} of flow ${token}`).subarray(0, DERIVED_BYTES);
  return {
    hash: flowTokenHash(token),
    jti: derived('refresh token').toString('base64url'),
    deviceId: derived('device'),
    device: sealed === undefined ? undefined : deviceTokens.openOfFlow(tenantId, sealed),
  };
}

/** What is stored of it. */
export function flowTokenHash(token: string): Buffer {
  return sha256(`flow token ${token}`);
}
