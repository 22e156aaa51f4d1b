import { sha256 } from '../../../platform/crypto/sealed.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';

/** Attempts are counted by hashes of a fixed size: attempted identifiers are not stored in clear text. */
export function addressSubject(address: string): Buffer {
  return sha256(`address ${clientNetwork(address)}`);
}

/** Reports of leaked keys, counted separately from logins. */
export function reporterSubject(address: string): Buffer {
  return sha256(`reporter ${clientNetwork(address)}`);
}

/** Flows that are begun, counted separately from logins. */
export function flowSubject(address: string): Buffer {
  return sha256(`flow ${clientNetwork(address)}`);
}

/** Whose open flows end when there are too many: those of one network. */
export function openerSubject(address: string): Buffer {
  return sha256(`opener ${clientNetwork(address)}`);
}

/** Undone changes, counted separately from logins. */
export function undoSubject(address: string): Buffer {
  return sha256(`undo ${clientNetwork(address)}`);
}

/** Guesses at what proves an account whose identifiers changed. */
export function undoProofSubject(userId: string): Buffer {
  return sha256(`undo of ${userId}`);
}

/** Refreshes, counted separately from logins. */
export function refreshSubject(address: string): Buffer {
  return sha256(`refresh ${clientNetwork(address)}`);
}

/** Authorization requests that public clients pushed, counted separately from logins. */
export function pushSubject(address: string): Buffer {
  return sha256(`push ${clientNetwork(address)}`);
}

/** Logins that were begun on devices by public clients, counted separately from logins. */
export function deviceGrantSubject(address: string): Buffer {
  return sha256(`device grant ${clientNetwork(address)}`);
}

/** Applications that anybody registered. */
export function clientRegistrationSubject(address: string): Buffer {
  return sha256(`client registration ${clientNetwork(address)}`);
}

/** Documents of applications that the service was made to read, at hosts that the tenant listed or at others. */
export function documentSubject(address: string, isListed: boolean): Buffer {
  return sha256(`${isListed ? 'listed ' : ''}document ${clientNetwork(address)}`);
}

/** Wrong codes of devices that a tenant has in an hour before new ones get longer. */
export const WRONG_CODES = { login_attempts_limit: 1000, login_attempts_window: 3600 } as const;

/** Wrong codes of devices that were typed at this address, or at all of the tenant. */
export function userCodeSubject(address?: string): Buffer {
  return sha256(`user code${address === undefined ? '' : ` ${clientNetwork(address)}`}`);
}

/** Token requests of a client, or of all clients, from this address. */
export function clientSubject(address: string, clientId?: string): Buffer {
  return sha256(`client ${clientNetwork(address)}${clientId === undefined ? '' : ` ${clientId}`}`);
}

/** A device that a user logged in from before. */
export function deviceSubject(id: Buffer): Buffer {
  return sha256(`device ${id.toString('hex')}`);
}

/** Registrations from this address, or from all. */
export function registrationSubject(address?: string): Buffer {
  return sha256(`registration${address === undefined ? '' : ` ${clientNetwork(address)}`}`);
}

export function identifierSubject(identifier: string): Buffer {
  return sha256(`identifier ${identifier}`);
}

export function userSubject(userId: string): Buffer {
  return sha256(`user ${userId}`);
}
