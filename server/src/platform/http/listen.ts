import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf, reasonOf } from '../reason.ts';

/** The address cannot be listened on; the message states the cause and the remedy. */
class CanNotListen extends Error {
  constructor(host: string, port: number, code: string) {
    const { says, advice } = explainListenFailure(host, port, code);
    super(`${says}. ${advice}`);
    this.name = 'CanNotListen';
  }
}

/** Returns the problem and the remedy, for operators. @param code of the failure, such as EADDRINUSE */
export function explainListenFailure(
  host: string,
  port: number,
  code: string,
): { readonly says: string; readonly advice: string } {
  return code === 'EADDRINUSE'
    ? {
        says: `${host}:${port} is in use by another program`,
        advice: 'Stop that program, or choose another port with KEYWRIGHT_PORT.',
      }
    : {
        says: `${host}:${port} cannot be listened on (${code})`,
        advice:
          'Set KEYWRIGHT_HOST to an IP address of this machine, and KEYWRIGHT_PORT to a port above 1023.',
      };
}

/** Listens, and closes again. @returns the code of the failure; undefined on success */
export async function findListenFailure(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    return codeOf(error) || reasonOf(error);
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

/** @throws CanNotListen */
export async function listen(
  { host, port }: Address,
  start: (at: Address) => Promise<unknown>,
): Promise<void> {
  try {
    await start({ host, port });
  } catch (error) {
    const isOfSocket = error instanceof Error && 'syscall' in error;
    throw isOfSocket ? new CanNotListen(host, port, codeOf(error)) : error;
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @throws CanNotListen */
export async function requireListenable(host: string, port: number): Promise<void> {
  // The primary has already checked, and may be listening itself by now.
  if (cluster.isWorker) return;
  const failure = await findListenFailure(host, port);
  if (failure !== undefined) throw new CanNotListen(host, port, failure);
}
