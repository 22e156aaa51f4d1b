// An SMTP server over TLS, or a provider of text messages, controlled by sink.ts.

import { startMailSink } from '@keywright/tests/harness/mail-sink';
import { startSmsSink } from '@keywright/tests/harness/sms-sink';
import type { SinkKind, SinkReport } from './sink.ts';

const report = (message: SinkReport) => process.send?.(message);

async function start(kind: SinkKind): Promise<number> {
  const onData = (to: string) => void report({ to, atMs: Date.now() });
  if (kind !== 'sms') {
    const server = { certificate: kind, isImplicit: true, keeps: false, onData };
    return (await startMailSink(server)).port;
  }
  const sink = await startSmsSink();
  sink.answer = ({ to }) => {
    onData(to);
    return undefined;
  };
  return Number(new URL(sink.url).port);
}

process.once('message', (kind: SinkKind) => {
  void start(kind).then((port) => {
    report({ port });
    process.once('disconnect', () => process.exit());
  });
});
