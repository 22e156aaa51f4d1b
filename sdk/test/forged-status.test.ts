import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { deflateSync } from 'node:zlib';
import { until } from '../../tests/harness/until.ts';
import type { ProblemCode } from '../src/verifier/problem.ts';
import { TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';
import { Signer, signJws } from './signer.ts';
import { pack, seconds, type StatusService } from './status-service.ts';
import { verifierOf } from './verifier-of.ts';

const attacker = new Signer('key_of_an_attacker');
/** A list without revocations: what an attacker with a revoked token would forge. */
const innocent = { bits: 1, lst: pack(new Uint8Array(16_384)) };

interface Case {
  readonly code: ProblemCode;
  readonly forge: (status: StatusService, issuer: TestIssuer) => string | Buffer;
}

const LISTS: Readonly<Record<string, Case>> = {
  'signed by another issuer': {
    code: 'STATUS_INVALID',
    forge: (status) => status.list(0, {}, attacker),
  },
  'signed by another issuer under the name of the right key': {
    code: 'STATUS_INVALID',
    forge: (status, { signer }) => status.list(0, {}, new Signer(signer.kid)),
  },
  'that is a token': { code: 'STATUS_INVALID', forge: (_, issuer) => issuer.mint() },
  'that is an event of the stream': {
    code: 'STATUS_INVALID',
    forge: (status) => status.event({ sub: status.uri(), version: 9, status_list: innocent }),
  },
  'that is not signed': {
    code: 'STATUS_INVALID',
    forge: (status) => `${status.list().split('.').slice(0, 2).join('.')}.`,
  },
  'with a key of its own': {
    code: 'STATUS_INVALID',
    forge: (status, { signer, name }) =>
      signJws(
        signer,
        { typ: 'statuslist+jwt', jwk: attacker.jwk },
        { iss: name, sub: status.uri(), iat: seconds(), version: 9, status_list: innocent },
      ),
  },
  'with a rule that has to be understood': {
    code: 'STATUS_INVALID',
    forge: (status, { signer, name }) =>
      signJws(
        signer,
        { typ: 'statuslist+jwt', crit: ['b64'], b64: true },
        { iss: name, sub: status.uri(), iat: seconds(), version: 9, status_list: innocent },
      ),
  },
  'of another issuer': {
    code: 'STATUS_FOREIGN',
    forge: (status) => status.list(0, { iss: 'https://id.example.com/t/org_other' }),
  },
  'of another tenant, with its address': {
    code: 'STATUS_FOREIGN',
    forge: (status) => status.list(0, { sub: 'https://id.example.com/t/org_other/status/0' }),
  },
  'of another number': {
    code: 'STATUS_FOREIGN',
    forge: (status) => status.list(0, { sub: status.uri(1) }),
  },
  'of a lower version': {
    code: 'STATUS_REPLAYED',
    forge: (status) => status.list(0, { version: 1, status_list: innocent }),
  },
  'of an earlier time': {
    code: 'STATUS_REPLAYED',
    forge: (status) => status.list(0, { iat: seconds() - 100, status_list: innocent }),
  },
  'that has expired': {
    code: 'STATUS_REPLAYED',
    forge: (status) => status.list(0, { exp: seconds() - 11, status_list: innocent }),
  },
  'from the future': {
    code: 'STATUS_INVALID',
    forge: (status) => status.list(0, { iat: seconds() + 60, status_list: innocent }),
  },
  'of two bits each': {
    code: 'STATUS_INVALID',
    forge: (status) => status.list(0, { status_list: { ...innocent, bits: 2 } }),
  },
  'that cannot be unpacked': {
    code: 'STATUS_INVALID',
    forge: (status) => status.list(0, { status_list: { bits: 1, lst: 'AAAA' } }),
  },
  'that is not base64url': {
    code: 'STATUS_INVALID',
    forge: (status) => status.list(0, { status_list: { bits: 1, lst: '*' } }),
  },
  'without a version': {
    code: 'STATUS_INVALID',
    forge: (status) => status.list(0, { version: undefined }),
  },
  'that unpacks to 64 MiB': {
    code: 'STATUS_TOO_LARGE',
    forge: (status) => {
      const layer = deflateSync(Buffer.alloc(64 * 1024 * 1024));
      return status.list(0, { status_list: { bits: 1, lst: layer.toString('base64url') } });
    },
  },
  'of a megabyte': { code: 'STATUS_TOO_LARGE', forge: () => Buffer.alloc(1024 * 1024, 0x41) },
  'that is nothing': { code: 'STATUS_INVALID', forge: () => '' },
  'that is a page': { code: 'STATUS_INVALID', forge: () => '<!doctype html><p>Welcome</p>' },
};

async function start(t: TestContext, mode: 'stream' | 'poll') {
  const issuer = await TestIssuer.start(t);
  const { status } = issuer;
  const mint = (idx: number, shard = 0) => issuer.mint(status.claim(idx, shard));
  return { issuer, status, mint, ...verifierOf(t, issuer, { status: mode }) };
}

describe('a list is not accepted', () => {
  for (const [title, { code, forge }] of Object.entries(LISTS)) {
    test(`${title}: revoked tokens stay revoked`, async (t) => {
      const { issuer, status, mint, verifier, codes, advance } = await start(t, 'poll');
      status.version = 5;
      status.revoke(0, [5]);
      const token = mint(5);
      await assertRefused(verifier.verify(token), 'revoked');
      const forged = forge(status, issuer);
      issuer.instead.set('/status/0', (_, response) => response.end(forged));
      advance(2);
      await assertRefused(verifier.verify(token), 'revoked');
      await until('it is asked for', () => codes().includes(code));
      await assertRefused(verifier.verify(token), 'revoked');
      await verifier.verify(mint(6));
    });
  }

  test('A forged list is not accepted even without another list, and the token is then answered with 503', async (t) => {
    const { issuer, status, mint, verifier, codes } = await start(t, 'stream');
    const forged = status.list(0, {}, attacker);
    issuer.instead.set('/status/0', (_, response) => response.end(forged));
    await assertRefused(verifier.verify(mint(1)), 'status_unavailable');
    assert.deepEqual(codes(), ['STATUS_INVALID']);
  });
});

interface EventCase {
  readonly code: ProblemCode;
  readonly send: (status: StatusService, issuer: TestIssuer) => void;
}

/** Each event would revoke bit 7, or close the issuer. */
const EVENTS: Readonly<Record<string, EventCase>> = {
  'signed by another issuer': {
    code: 'STATUS_INVALID',
    send: (status) =>
      status.notify({ from: 1, version: 2, revoked: { 0: [7] } }, 'status', attacker),
  },
  'that is a list': {
    code: 'STATUS_INVALID',
    send: (status) => status.notifyRaw(`event: status\ndata: ${status.list()}\n\n`),
  },
  'of another issuer': {
    code: 'STATUS_FOREIGN',
    send: (status) =>
      status.notify({ iss: 'https://evil.example.com', from: 1, version: 2, revoked: { 0: [7] } }),
  },
  'older than those before': {
    code: 'STATUS_REPLAYED',
    send: (status) =>
      status.notify({ iat: seconds() - 60, from: 1, version: 2, revoked: { 0: [7] } }),
  },
  'from the future': {
    code: 'STATUS_INVALID',
    send: (status) =>
      status.notify({ iat: seconds() + 60, from: 1, version: 2, revoked: { 0: [7] } }),
  },
  'that ends before it begins': {
    code: 'STATUS_INVALID',
    send: (status) => status.notify({ from: 2, version: 1, revoked: { 0: [7] } }),
  },
  'without a version': {
    code: 'STATUS_INVALID',
    send: (status) => status.notify({ from: 1, revoked: { 0: [7] } }),
  },
  'with bits that are none': {
    code: 'STATUS_INVALID',
    send: (status) => status.notify({ from: 1, version: 2, revoked: { 0: [7, '8'] } }),
  },
  'with lists that are none': {
    code: 'STATUS_INVALID',
    send: (status) => status.notify({ from: 1, version: 2, revoked: { 0: [7], x: [1] } }),
  },
  'that closes the issuer, signed by another issuer': {
    code: 'STATUS_INVALID',
    send: (status) => status.notify({ closed: true }, 'closed', attacker),
  },
  'that closed the issuer long ago': {
    code: 'STATUS_REPLAYED',
    send: (status) => status.notify({ closed: true, iat: seconds() - 60 }, 'closed'),
  },
  'that resets, signed by another issuer': {
    code: 'STATUS_INVALID',
    send: (status) => status.notify({ version: 0, reset: true }, 'reset', attacker),
  },
  'that has no end': {
    code: 'STATUS_TOO_LARGE',
    send: (status) => status.notifyRaw(`data: ${'A'.repeat(3 * 1024 * 1024)}`),
  },
  'that is nothing': {
    code: 'STATUS_INVALID',
    send: (status) => status.notifyRaw('event: status\ndata: \n\n'),
  },
};

describe('an event is not accepted, and the stream reconnects,', () => {
  for (const [title, { code, send }] of Object.entries(EVENTS)) {
    test(title, async (t) => {
      const { issuer, status, mint, verifier, codes } = await start(t, 'stream');
      const token = mint(7);
      await verifier.verify(token);
      await until('the stream is there', () => verifier.state().revocations?.isConnected);
      send(status, issuer);
      await until('it is noticed', () => codes().includes(code));
      await until('the stream is there again', () => status.resumedFrom.length > 1);
      await verifier.verify(token);
      status.revoke(0, [8]);
      await until('it is followed', () =>
        verifier.verify(mint(8)).then(
          () => false,
          () => true,
        ),
      );
      await verifier.verify(token);
    });
  }

  test('The bits of an event beyond a list are ignored', async (t) => {
    const { status, mint, verifier, codes } = await start(t, 'stream');
    await verifier.verify(mint(7));
    await until('the stream is there', () => verifier.state().revocations?.isConnected);
    const revoked = { 0: [131_072, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER], 999_999_999: [1] };
    status.version = 2;
    status.notify({ from: 1, version: 2, revoked });
    await until('it is accepted', () => verifier.state().revocations?.version === 2);
    await verifier.verify(mint(7));
    assert.deepEqual(codes(), []);
  });
});

test('A token that names an unknown bit or list is rejected', async (t) => {
  const { mint, verifier } = await start(t, 'stream');
  await verifier.verify(mint(1));
  for (const idx of [131_072, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    await assertRefused(verifier.verify(mint(idx)), 'status_foreign');
  }
  await assertRefused(verifier.verify(mint(1, 77)), 'status_foreign');
});

test('A hook that fails affects nothing else', async (t) => {
  const issuer = await TestIssuer.start(t);
  const { verifier } = verifierOf(t, issuer, {
    onProblem: () => {
      throw new Error('The log is full.');
    },
  });
  const token = issuer.mint(issuer.status.claim(7));
  await verifier.verify(token);
  await until('the stream is there', () => verifier.state().revocations?.isConnected);
  issuer.status.cut();
  await until('the stream is there again', () => issuer.status.resumedFrom.length > 1);
  issuer.status.revoke(0, [7]);
  await until('it is followed', () =>
    verifier.verify(token).then(
      () => false,
      () => true,
    ),
  );
});
