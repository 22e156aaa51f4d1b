import type { ClientSecretId } from '@keywright/contract/ids';
import { CLIENT_SECRET_PREFIX } from '@keywright/contract/records/oauth-client';
import { checkedSecrets } from '../../../platform/crypto/checked-secret.ts';
import { newClientSecretId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';

const SECRETS = checkedSecrets(CLIENT_SECRET_PREFIX);

export interface NewSecret {
  readonly id: ClientSecretId;
  /** `kwc_`, random base62 characters and six check characters. */
  readonly text: string;
  readonly hash: Buffer;
}

export function newSecret(now: Date): NewSecret {
  const text = SECRETS.mint();
  return { id: newClientSecretId(now), text, hash: sha256(text) };
}
