// Runs the service from its sources with a demo identity provider: `npm run dev`. Both stop together.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CLIENT_ID, startDemoProvider } from './dev/provider.ts';

const PORT = 9090;
const WATCHED = ['contract/src', 'server/src', 'server/migrations', 'server/sql'];

const root = fileURLToPath(new URL('..', import.meta.url));
const demo = await startDemoProvider(PORT).catch((error: unknown) => {
  console.error(`keywright: no demo identity provider: ${String(error)}`);
  return undefined;
});
// The service calls no address of this machine unless it is listed.
const settings = demo && {
  KEYWRIGHT_EGRESS_ALLOW: `localhost:${PORT}`,
  KEYWRIGHT_DEMO_PROVIDER: demo.provider.issuer,
};
if (demo) {
  console.error(
    `keywright: a demo identity provider runs at ${demo.provider.issuer} (client ID ${CLIENT_ID}, no client secret). Add it in the console under Identity providers`,
  );
}
const watch = WATCHED.map((folder) => `--watch-path=${folder}`);
const service = spawn(process.execPath, ['--watch', ...watch, 'server/src/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...settings, ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => service.kill(signal));
}
service.on('exit', (code) => {
  demo?.close();
  process.exitCode = code ?? 1;
});
