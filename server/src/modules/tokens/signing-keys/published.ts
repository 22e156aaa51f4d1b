import type { SigningKeyId } from '@keywright/contract/ids';
import type { OpensslAlgorithm } from '../../../platform/crypto/openssl-key.ts';

/** The public half of a key. */
export interface PublishedKey {
  readonly kid: SigningKeyId;
  /** The 32 bytes of Ed25519, or SubjectPublicKeyInfo, in base64url. */
  readonly publicKey: string;
}

export interface PublishedApplicationKey extends PublishedKey {
  readonly algorithm: OpensslAlgorithm;
}
