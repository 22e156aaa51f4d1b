// A reader that continues from its last event misses none, whatever the commit order.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EventRecord } from '@keywright/contract/events';
import { newEventId } from '@keywright/server/platform/crypto/ids';
import pg from 'pg';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import { seededRandom } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const NODES = 2;
const WRITERS = 8;
const ROUNDS = 12;
/** A kind of event that only this test causes. */
const KIND = 'key.retired';

let keywright: Keywright;
let tenant: TestTenant;
let token: string;

before(async () => {
  keywright = await startKeywright({ nodes: NODES });
  tenant = await keywright.tenant('interleaved', { config: { login_attempts_limit: 10_000 } });
  token = await tenant.adminToken();
});

after(() => keywright.close());

/** A reader that always requests the events after its last one. */
class Reader {
  readonly seen: EventRecord[] = [];
  readonly #filter: string;
  #last: string | undefined;

  constructor(filter = '') {
    this.#filter = filter;
  }

  async readOn(node = 0): Promise<void> {
    const cursor = this.#last === undefined ? '' : `&after=${this.#last}`;
    const path = `/events?limit=3${this.#filter}${cursor}`;
    const answer = await tenant.request<{ items: EventRecord[] }>('GET', path, { node, token });
    const { items } = expectStatus(200, answer);
    this.seen.push(...items);
    this.#last = items.at(-1)?.id ?? this.#last;
  }

  get ids(): string[] {
    return this.seen.map((event) => event.id);
  }
}

/** A slow transaction, not made by the service: it writes an event on demand. */
class Writer {
  readonly #client = new pg.Client(keywright.database.superuserUrl);

  async start(): Promise<void> {
    await this.#client.connect();
    await this.#client.query('BEGIN');
    await this.#client.query('SELECT kw_enter($1)', [tenant.id]);
  }

  async write(): Promise<string> {
    const now = new Date();
    const id = newEventId(now);
    const data = { tenant_id: tenant.id, key_id: 'key_x' };
    const event = { id, type: KIND, subject: 'key_x', data, created_at: now };
    await this.#client.query('SELECT kw_emit($1, $2)', [tenant.id, JSON.stringify([event])]);
    return id;
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.#client.query(how);
    await this.#client.end();
  }
}

describe('a reader of the event log', () => {
  test('A reader of the event log misses no event and sees none twice while slow transactions commit in any order', async () => {
    const random = seededRandom();
    const reader = new Reader(`&type=${KIND}`);
    const committed: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const writers = Array.from({ length: WRITERS }, () => new Writer());
      for (const writer of writers) await writer.start();
      const written = new Map<Writer, string[]>(writers.map((writer) => [writer, []]));
      // Numbers, ids and commits each follow a different order.
      for (let count = 0; count < 2; count += 1) {
        for (const writer of random.shuffled(writers)) {
          written.get(writer)?.push(await writer.write());
          await reader.readOn();
        }
      }
      for (const writer of random.shuffled(writers)) {
        const isCommitted = random.between(0, 3) > 0;
        await writer.end(isCommitted ? 'COMMIT' : 'ROLLBACK');
        if (isCommitted) committed.push(...(written.get(writer) ?? []));
        await reader.readOn();
      }
    }
    await until('everything was read', async () => {
      await reader.readOn();
      return reader.seen.length >= committed.length;
    });
    const failed = `seed ${random.seed}`;
    assert.deepEqual(reader.ids.toSorted(), committed.toSorted(), failed);
    assert.equal(new Set(reader.ids).size, reader.ids.length, failed);
  });

  test('A reader of the event log misses no event while nodes serve logins, and sees the same order from every node', async () => {
    const readers = [new Reader(), new Reader()];
    const over = new AbortController();
    const reading = readers.map(async (reader, node) => {
      while (!over.signal.aborted) await reader.readOn(node);
    });
    const people = Array.from({ length: 12 }, () => ({
      identifier: newIdentifier(),
      secret: newPassword(),
    }));
    await parallel(people.length, async (index) => {
      const { identifier, secret } = people[index] ?? { identifier: '', secret: '' };
      const options = { node: index % NODES, extra: { register: true } };
      for (let count = 0; count < 5; count += 1) await tenant.login(identifier, secret, options);
    });
    const [rows] = await keywright.database.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM events WHERE tenant_id = $1',
      [tenant.id],
    );
    await until('both have read everything', () =>
      readers.every((reader) => reader.seen.length >= (rows?.n ?? 0)),
    );
    over.abort();
    await Promise.all(reading);
    const [ids, other] = readers.map((reader) => reader.ids);
    assert.equal(ids?.length, rows?.n);
    assert.equal(new Set(ids).size, ids?.length);
    assert.deepEqual(ids, other);
  });

  test('A reader of the event log does not wait for read-only transactions such as a dump', async () => {
    const dump = new pg.Client(keywright.database.superuserUrl);
    await dump.connect();
    try {
      await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await dump.query('SELECT count(*) FROM events');
      const writer = new Writer();
      await writer.start();
      const id = await writer.write();
      await writer.end('COMMIT');
      const reader = new Reader(`&type=${KIND}`);
      await until('the event is shown', async () => {
        await reader.readOn();
        return reader.ids.includes(id);
      });
    } finally {
      await dump.end();
    }
  });
});
