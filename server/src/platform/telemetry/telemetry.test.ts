import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { startKeywright } from '@keywright/tests/harness/keywright';
import { startServerProcess } from '@keywright/tests/harness/process';
import { until } from '@keywright/tests/harness/until';

const MASTER_KEY = randomBytes(32).toString('base64');
const GUIDE = new URL('../../../../docs/guide/observability.md', import.meta.url);

test('The metrics count requests by route and logins by outcome, on a separate port', async (t) => {
  const keywright = await startKeywright({ env: { KEYWRIGHT_METRICS_PORT: '0' } });
  t.after(() => keywright.close());
  const { identifier, password } = keywright.admin;
  await keywright.login(identifier, password);
  const body = { identifier, secret: newPassword() };
  await keywright.home.request('POST', '/auth/login', { body });

  const port = keywright.nodes[0]?.metricsPort;
  const scrape = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.match(scrape.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await scrape.text();
  assert.match(text, /^keywright_logins_total\{outcome="granted"\} 1$/m);
  assert.match(text, /^keywright_logins_total\{outcome="INVALID_CREDENTIALS"\} 1$/m);
  const counted =
    /^keywright_http_request_duration_seconds_count\{route="auth\.login",status="401"\} 1$/m;
  assert.match(text, counted);
  assert.match(text, /^keywright_password_hashes\{state="waiting"\} 0$/m);
  assert.match(text, /^keywright_database_connections\{state="idle"\} \d+$/m);
  assert.match(text, /^keywright_password_hashes\{state="running"\} 0$/m);
  assert.match(text, /^keywright_database_connections\{state="waited_for"\} \d+$/m);
  assert.match(text, /^keywright_webhook_queue\{of="pending"\} 0$/m);
  assert.match(text, /^keywright_webhook_queue\{of="lag_seconds"\} 0$/m);
  const guide = await readFile(GUIDE, 'utf8');
  const served = [...text.matchAll(/^# TYPE (keywright_\w+) /gm)].map(([, name = '']) => name);
  const documented = [...guide.matchAll(/^\| `(keywright_\w+)`/gm)].map(([, name = '']) => name);
  assert.deepEqual(served.toSorted(), documented.toSorted(), 'the guide names what there is');
  for (const secret of [identifier, 'org_', 'user:']) assert.ok(!text.includes(secret), secret);

  const missing = await fetch(`${keywright.url}/metrics`);
  assert.equal(missing.status, 404, 'not where the public gets to');
  assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 404);
});

let installed: Promise<TestDatabase> | undefined;

after(async () => (await installed)?.drop());

/** One installation, shared by processes that run one at a time. */
async function installation(): Promise<Record<string, string>> {
  const { url } = await (installed ??= createDatabase());
  return { KEYWRIGHT_DATABASE_URL: url, KEYWRIGHT_MASTER_KEY: MASTER_KEY };
}

/** Makes a process report the modules of telemetry libraries that it loads on standard error. */
const WATCH = `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (/opentelemetry|prom-client/.test(url)) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  },
});`;

async function loadedBy(env: Readonly<Record<string, string>>): Promise<string> {
  const service = await startServerProcess({
    env: {
      ...(await installation()),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}`,
      ...env,
    },
  });
  await service.interrupt();
  return service.stderr.replaceAll(/^(?!loaded ).*\n/gm, '');
}

test('No code of metrics and traces is loaded if they are disabled', async () => {
  assert.equal(await loadedBy({}), '');
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  assert.equal(await loadedBy({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), '');
  assert.match(await loadedBy({ KEYWRIGHT_METRICS_PORT: '0' }), /^loaded .*prom-client/m);
  const traced = await loadedBy({ ...endpoint, OTEL_TRACES_SAMPLER: 'always_off' });
  assert.match(traced, /^loaded .*opentelemetry/m);
  assert.doesNotMatch(traced, /prom-client/);
});

test('The metrics are served only if enabled', async (t) => {
  const keywright = await startKeywright();
  t.after(() => keywright.close());
  assert.equal(keywright.nodes[0]?.metricsPort, undefined);
});

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** An OpenTelemetry collector that stores what it receives. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    spans: () =>
      bodies.flatMap((body) => {
        const sent = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
        };
        return sent.resourceSpans.flatMap((resource) =>
          resource.scopeSpans.flatMap((two) => two.spans),
        );
      }),
  };
}

test("The traces of requests and their statements reach the configured collector, within the caller's trace, without secrets", async () => {
  const collector = await startCollector();
  const [identifier, secret] = [newIdentifier(), newPassword()];
  const service = await startServerProcess({
    env: {
      ...(await installation()),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'sign-in',
    },
  });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const body = { identifier, secret, register: true };
  await service.http.request('POST', '/auth/login', { headers, body });
  for (const _ of [1, 2]) await service.http.request('GET', '/.well-known/jwks.json', { headers });
  // Pending spans are exported before the process exits.
  await service.sigterm();
  await until('the spans arrive', () =>
    collector.spans().some((span) => span.name === 'auth.login'),
  );

  const request = collector.spans().find((span) => span.name === 'auth.login');
  assert.deepEqual([request?.traceId, request?.parentSpanId], [traceId, 'b7ad6b7169203331']);
  // The second response is in memory.
  assert.equal(collector.spans().filter(({ name }) => name === 'key_set.get').length, 2);
  const inside = collector.spans().filter((span) => span.parentSpanId === request?.spanId);
  assert.ok(inside.some((span) => span.name === 'kw_start_logins'));
  assert.ok(collector.text().includes('sign-in'));
  for (const word of [identifier, secret]) assert.ok(!collector.text().includes(word));
});
