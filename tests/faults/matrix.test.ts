import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { CELLS, ELSEWHERE } from './cells.ts';
import { Fleet } from './fleet.ts';
import { type Fault, type Resource, Ledger, suffer } from './matrix.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const FAULTS: readonly Fault[] = ['gone', 'full', 'stalled', 'wrong'];
const WRONG_CLOCK = `--import ${new URL('../harness/machine-clock.ts', import.meta.url).href}`;

describe('what a node acknowledged holds, /health and the log report the fault, and the node heals without a restart', () => {
  let fleet: Fleet;
  let ledger: Ledger;

  before(async () => {
    const env = {
      NODE_OPTIONS: WRONG_CLOCK,
      CLOCK_AHEAD_ON_SIGNAL_MS: String(90 * DAY_MS),
      KEYWRIGHT_STATEMENT_TIMEOUT_MS: '2000',
    };
    fleet = await Fleet.start({ nodes: 1, isRelayed: true, env });
    ledger = await Ledger.open(fleet);
  });

  after(() => fleet.close());

  for (const cell of CELLS) {
    test(`A node keeps acknowledged writes, reports the fault and heals when ${cell.about} (${cell.resource}: ${cell.fault})`, () =>
      suffer(fleet, ledger, cell));
  }

  test('No acknowledged write is lost and no revoked session accepted after all of these faults', () =>
    ledger.close());
});

test('Every fault of what a node holds has a cell in the matrix, a test elsewhere, or a reason why it cannot happen', () => {
  for (const resource of Object.keys(ELSEWHERE) as Resource[]) {
    for (const fault of FAULTS) {
      const cells = CELLS.filter((cell) => cell.resource === resource && cell.fault === fault);
      const reason = ELSEWHERE[resource][fault];
      assert.equal(cells.length === 0, reason !== undefined, `${resource}: ${fault}`);
      if (reason !== undefined && !reason.includes(' ')) assert.ok(existsSync(reason), reason);
    }
  }
});
