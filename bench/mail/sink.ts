import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Certificate } from '@keywright/tests/harness/certificate';

const PROGRAM = fileURLToPath(new URL('sink-process.ts', import.meta.url));

/** A mail server in a process of its own, over TLS, that counts what it accepts. */
export interface Sink {
  readonly port: number;
  /** Mails so far. */
  count(): number;
  /** When mails to this address began, by the clock of the machine, in milliseconds. */
  sentAt(address: string): number | undefined;
  close(): Promise<void>;
}

/** What the process says: its port, or a mail. */
export type SinkReport = { readonly port: number } | { readonly to: string; readonly atMs: number };

export async function startSink(certificate: Certificate): Promise<Sink> {
  const child = fork(PROGRAM, { execArgv: [] });
  const mails = new Map<string, number>();
  let count = 0;
  child.send(certificate);
  const [first] = (await once(child, 'message')) as [{ readonly port: number }];
  child.on('message', (report: SinkReport) => {
    if (!('to' in report)) return;
    count += 1;
    mails.set(report.to, report.atMs);
  });
  return {
    port: first.port,
    count: () => count,
    sentAt: (address) => mails.get(address),
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
