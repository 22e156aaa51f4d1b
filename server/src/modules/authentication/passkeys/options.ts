import type {
  AcceptedPasskeys,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@keywright/contract/records/passkey';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { ALGORITHMS } from './assertion.ts';
import { TIMEOUT_MS } from './challenge.ts';
import type { RelyingParty } from './relying-party.ts';

/** A passkey as browsers are told of it. */
export interface KnownPasskey {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

export function requestOptions(
  { id: rpId }: RelyingParty,
  challenge: string,
  allowed: readonly KnownPasskey[],
): PasskeyRequestOptions {
  return {
    challenge,
    rpId,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(descriptorOf),
  };
}

export function creationOptions(
  { name, config }: Tenant,
  { id }: RelyingParty,
  given: {
    readonly challenge: string;
    readonly userHandle: Buffer;
    readonly account: string;
    readonly existing: readonly KnownPasskey[];
  },
): PasskeyCreationOptions {
  const { challenge, userHandle, account, existing } = given;
  return {
    challenge,
    rp: { id, name },
    user: { id: userHandle.toString('base64url'), name: account, displayName: account },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: config.passkey_attestation,
  };
}

/** For authenticators, so that they offer no others. */
export function acceptedPasskeys(
  { id: rpId }: RelyingParty,
  userHandle: Buffer,
  credentialIds: readonly Buffer[],
): AcceptedPasskeys {
  return {
    rpId,
    userId: userHandle.toString('base64url'),
    allAcceptedCredentialIds: credentialIds.map((id) => id.toString('base64url')),
  };
}

function descriptorOf({ credentialId, transports }: KnownPasskey) {
  const id = credentialId.toString('base64url');
  return { id, type: 'public-key' as const, transports: [...transports] };
}
