import type { LookupFunction, Socket } from 'node:net';
import { ALLOW_NOTHING, type Destination, type EgressAllow } from './operator-exceptions.ts';
import { openPlainSocket } from './connect.ts';
import { mailDestination, objectionToMailServer } from './address-rules.ts';
import { Names } from './names.ts';
import { describe, EgressError } from './reasons.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export interface MailServerAddress {
  readonly host: string;
  readonly port: number;
  /** No TLS will follow. */
  readonly isPlain: boolean;
  /** Chosen by the operator: any address is allowed. */
  readonly isOperators?: boolean;
}

interface DialOptions {
  readonly allow: EgressAllow;
  readonly dnsServers?: readonly string[];
}

/** Connects to mail servers, with the same address checks as calls unless the operator chose the server. */
export function createDial({ allow, dnsServers }: DialOptions) {
  const names = new Names(allow, dnsServers);
  return (server: MailServerAddress): Promise<Socket> => {
    const destination = mailDestination(server.host, server.port, server.isPlain);
    const objection = server.isOperators ? undefined : objectionToMailServer(allow, destination);
    if (objection || !destination) {
      return Promise.reject(new EgressError(objection ?? 'url_invalid'));
    }
    const lookup = server.isOperators
      ? trusted(destination).lookupOf(destination)
      : names.lookupOf(destination);
    return open(destination, lookup);
  };
}

/** Resolves the name by the system, and allows all its addresses. */
function trusted({ hostname }: Destination): Names {
  return new Names({ ...ALLOW_NOTHING, hosts: new Set([hostname]) }, undefined);
}

function open(destination: Destination, lookup: LookupFunction): Promise<Socket> {
  return new Promise((resolve, reject) => {
    openPlainSocket(destination, lookup, CONNECT_TIMEOUT_MS, (error, socket) => {
      if (error) reject(error);
      else resolve(socket);
    });
  });
}

/** Describes why a mail server would always be refused, as far as can be determined without DNS. */
export function describeObjection(
  allow: EgressAllow,
  { host, port, isPlain }: MailServerAddress,
): string | undefined {
  const reason = objectionToMailServer(allow, mailDestination(host, port, isPlain));
  return reason && describe(reason);
}
