// No header of a request raises a limit or keeps the request from being counted.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import { pooled } from '../harness/parallel.ts';
import { type Send, type Headers, LIMITED, type Limited, tenantOf } from './limited.ts';

const OTHER = '198.51.100.77';
const AT_ONCE = 8;

/** Headers that proxies, browsers and attackers send. None of them authenticates the client. */
const HEADERS: readonly Headers[] = [
  { 'x-forwarded-for': OTHER },
  { 'X-Forwarded-For': `${OTHER}, 10.0.0.1` },
  { 'x-forwarded-for': [OTHER, '2001:db8::1'] },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-for': 'unknown' },
  { 'x-forwarded-for': `for="[2001:db8::1]:4711"` },
  { forwarded: `for=${OTHER};proto=https;by=10.0.0.1` },
  { 'x-forwarded': OTHER },
  { 'forwarded-for': OTHER },
  { 'x-original-forwarded-for': OTHER },
  { 'x-real-ip': OTHER },
  { 'x-client-ip': OTHER },
  { 'x-cluster-client-ip': OTHER },
  { 'x-envoy-external-address': OTHER },
  { 'true-client-ip': OTHER },
  { 'cf-connecting-ip': OTHER },
  { 'fastly-client-ip': OTHER },
  { 'x-remote-addr': OTHER },
  { via: '1.1 proxy.example.com' },
  { 'x-forwarded-host': 'other.example.com' },
  { 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' },
  { 'user-agent': 'another browser' },
  { 'accept-language': 'ja' },
  { 'idempotency-key': 'a key of this request' },
  { 'x-request-id': 'an id of this request' },
  { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
  { origin: 'https://app.example.com' },
  { cookie: 'a=b' },
  { 'x-flow-token': 'lft_x' },
];

let sink: MailSink;
let direct: Keywright;
let proxied: Keywright;

before(async () => {
  sink = await startMailSink();
  direct = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  proxied = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1' },
  });
});
after(async () => {
  await Promise.all([direct.close(), proxied.close()]);
  await sink.close();
});

/** The headers that a trusted proxy forwards: it appends the address that it sees. */
function throughProxy(headers: Headers): Headers {
  const { 'x-forwarded-for': forwarded, 'X-Forwarded-For': other, ...rest } = headers;
  return {
    ...rest,
    'x-forwarded-for': [forwarded ?? other ?? [], '203.0.113.5'].flat().join(', '),
  };
}

async function requireSameLimit(send: Send, { limit }: Limited, sent: readonly Headers[]) {
  const upTo = Array.from({ length: limit }, (_, index) => index);
  const admitted = await pooled(AT_ONCE, upTo, (index) =>
    send(sent[index % sent.length] ?? {}, index),
  );
  assert.deepEqual(
    admitted.filter(({ status }) => status === 429).map(({ text }) => text),
    [],
    'refused too early',
  );
  const late = [{}, ...sent];
  const answers = await pooled(AT_ONCE, [...late.entries()], ([place, headers]) =>
    send(headers, limit + place),
  );
  const accepted = late.filter((_, place) => answers[place]?.status !== 429);
  assert.deepEqual(accepted, [], String(answers.find(({ status }) => status !== 429)?.text));
}

/**
 * Groups the headers. Each is also sent within the limit: if it kept a request from being counted, another one would be
 * admitted.
 */
function groupsOf({ limit }: Limited): readonly (readonly Headers[])[] {
  const groups: Headers[][] = [];
  for (let from = 0; from < HEADERS.length; from += limit) {
    groups.push(HEADERS.slice(from, from + limit));
  }
  return groups;
}

describe('no header raises the limit of', () => {
  for (const [name, limited] of Object.entries(LIMITED)) {
    test(`${name}, sent to the service directly`, async () => {
      for (const [place, group] of groupsOf(limited).entries()) {
        const slug = `${name.replaceAll(' ', '-')}-${place}`;
        const tenant = await tenantOf(direct, slug, limited);
        await requireSameLimit(await limited.prepare(tenant, direct), limited, group);
      }
    });
  }

  for (const name of ['logins from an address', 'login flows']) {
    test(`${name}, sent through a trusted proxy`, async () => {
      const limited = LIMITED[name] as Limited;
      const groups = groupsOf(limited);
      for (const [place, group] of groups.entries()) {
        const tenant = await tenantOf(proxied, `${name.replaceAll(' ', '-')}-${place}`, limited);
        const send = await limited.prepare(tenant, proxied);
        const asProxy: Send = (headers, index) => send(throughProxy(headers), index);
        await requireSameLimit(asProxy, limited, group);
      }
    });
  }
});
