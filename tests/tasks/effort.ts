// How much of a person's work a task may take: presses of buttons and links, and fields that are typed in or chosen.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Effort } from '../console/hands.ts';

/** @param most presses and fields together */
export function expectAtMost(t: TestContext, { presses, fields }: Effort, most: number): void {
  t.diagnostic(`${presses} presses + ${fields} fields, at most ${most}`);
  assert.ok(presses > 0, 'nothing was counted');
  assert.ok(presses + fields <= most, `${presses} presses and ${fields} fields, at most ${most}`);
}
