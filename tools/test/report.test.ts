import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPENSIVE } from '../../tests/expensive.ts';
import { Durations } from './durations.ts';
import { RunReport } from './report.ts';

const [LISTED = ''] = Object.keys(EXPENSIVE);

/** Ends a run of one file that took this CPU time in seconds. @returns whether it failed, and its final output */
function endRun(
  file: string,
  seconds: number,
  limits: { readonly budgetSeconds?: number },
  error?: string,
) {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => lines.push(line);
  try {
    const report = new RunReport(Array(10).fill(file), new Durations({}), 1);
    report.started(file);
    const outcome =
      error === undefined ? { kind: 'passed' as const } : { kind: 'failed' as const, error };
    report.reported({ ...outcome, file, depth: 1, name: 'a test', isSuite: false });
    report.reported({ kind: 'ended', file, cpuMs: seconds * 1000, memoryMb: 0 });
    lines.length = 0;
    report.finish({ cpuMs: seconds * 1000, slowness: 2, isInterrupted: false, ...limits });
    return { hasFailed: report.hasFailed, text: lines.join('\n') };
  } finally {
    console.log = log;
  }
}

test('A run with a budget fails when it takes more CPU time, counted for the reference machine', () => {
  assert.equal(endRun(LISTED, 100, { budgetSeconds: 50 }).hasFailed, false);
  const { hasFailed, text } = endRun(LISTED, 102, { budgetSeconds: 50 });
  assert.ok(hasFailed);
  assert.match(text, /may take 50 s/);
  assert.equal(endRun(LISTED, 102, {}).hasFailed, false);
});

test('A run with a budget fails for an expensive file that is not listed with a reason', () => {
  assert.equal(endRun('tests/new.test.ts', 30, { budgetSeconds: 1000 }).hasFailed, false);
  const { hasFailed, text } = endRun('tests/new.test.ts', 31, { budgetSeconds: 1000 });
  assert.ok(hasFailed);
  assert.match(text, /tests\/new\.test\.ts took 15\.5 s/);
  assert.equal(endRun('tests/new.test.ts', 31, {}).hasFailed, false);
});

test('A run ends with what failed, why, and the command that repeats it', () => {
  const { text } = endRun('tests/new.test.ts', 1, {}, 'waited 30000 ms in vain: a mail');
  const failures = text.slice(text.indexOf('Failed, each'));
  assert.match(
    failures,
    /tests\/new\.test\.ts: a test\n +waited 30000 ms in vain: a mail\n +npm test -- tests\/new/,
  );
});
