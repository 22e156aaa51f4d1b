// A mail server over TLS, controlled by sink.ts.

import { startMailSink } from '@keywright/tests/harness/mail-sink';
import type { Certificate } from '@keywright/tests/harness/certificate';
import type { SinkReport } from './sink.ts';

const report = (one: SinkReport) => process.send?.(one);

process.once('message', (certificate: Certificate) => {
  const onData = (to: string) => void report({ to, atMs: Date.now() });
  void startMailSink({ certificate, isImplicit: true, keeps: false, onData }).then((sink) => {
    report({ port: sink.port });
    process.once('disconnect', () => process.exit());
  });
});
