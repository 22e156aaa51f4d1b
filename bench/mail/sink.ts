import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Certificate } from '@keywright/tests/harness/certificate';

const PROGRAM = fileURLToPath(new URL('sink-process.ts', import.meta.url));

/** The certificate of an SMTP server, or `sms` for a provider of text messages. */
export type SinkKind = Certificate | 'sms';

/** A server in its own process that counts the messages it accepts. */
export interface Sink {
  readonly port: number;
  /** Messages so far. */
  count(): number;
  /** When a message to this address was received, by the clock of the machine, in milliseconds. */
  sentAt(address: string): number | undefined;
  close(): Promise<void>;
}

/** A report from the process: its port, or a message. */
export type SinkReport = { readonly port: number } | { readonly to: string; readonly atMs: number };

export async function startSink(kind: SinkKind): Promise<Sink> {
  const child = fork(PROGRAM, { execArgv: [] });
  const mails = new Map<string, number>();
  let count = 0;
  child.send(kind);
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
