import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { entrust, release } from '../../harness/janitor.ts';

const PROGRAM = fileURLToPath(new URL('service-process.ts', import.meta.url));

/** A service that verifies tokens offline. */
export interface Service {
  /** Sends a request with this token. @returns the status of the response */
  call(token: string): Promise<number>;
  close(): Promise<void>;
}

export async function startService(kind: 'sdk' | 'jose', issuer: string): Promise<Service> {
  const env = { ...process.env, ISSUER: issuer, KIND: kind };
  const child = fork(PROGRAM, { env, execArgv: [] });
  const pid = child.pid ?? 0;
  entrust({ kind: 'process', pid });
  const ended = once(child, 'exit');
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    async call(token) {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`http://127.0.0.1:${port}/reports`, { headers })).status;
    },
    async close() {
      child.disconnect();
      await ended;
      release({ kind: 'process', pid });
    },
  };
}
