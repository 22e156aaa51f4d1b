import { sha256 } from '../../../platform/crypto/sealed.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';

/** Attempts are counted by hashes, of one size: who was tried in vain is not kept in clear text. */
export function addressSubject(address: string): Buffer {
  return sha256(`address ${clientNetwork(address)}`);
}

/** Who reports found keys, counted apart from their logins. */
export function reporterSubject(address: string): Buffer {
  return sha256(`reporter ${clientNetwork(address)}`);
}

/** Who refreshes, counted apart from their logins. */
export function refreshSubject(address: string): Buffer {
  return sha256(`refresh ${clientNetwork(address)}`);
}

/** Who asks for tokens as a client: as this one, or as any. */
export function clientSubject(address: string, clientId?: string): Buffer {
  return sha256(`client ${clientNetwork(address)}${clientId === undefined ? '' : ` ${clientId}`}`);
}

/** A device that a user logged in from before. */
export function deviceSubject(id: Buffer): Buffer {
  return sha256(`device ${id.toString('hex')}`);
}

/** Who registers: from this address, or from any. */
export function registrationSubject(address?: string): Buffer {
  return sha256(`registration${address === undefined ? '' : ` ${clientNetwork(address)}`}`);
}

export function identifierSubject(identifier: string): Buffer {
  return sha256(`identifier ${identifier}`);
}

export function userSubject(userId: string): Buffer {
  return sha256(`user ${userId}`);
}
