// Reports the events in a worker to its parent. Loaded by `node --test-reporter`.

import { Transform } from 'node:stream';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export type Report = Ended | Outcome | Note;

/** All tests of a file have ended. */
interface Ended {
  readonly kind: 'ended';
  readonly file: string;
  readonly cpuMs: number;
  readonly memoryMb: number;
}

/** A diagnostic message of a test. */
interface Note {
  readonly kind: 'note';
  readonly file: string;
  readonly depth: number;
  readonly text: string;
}

/** The result of a test, or of a suite after its tests. The suite of depth 0 is the file. */
export interface Outcome {
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly file: string;
  readonly isSuite: boolean;
  readonly depth: number;
  readonly name: string;
  /** Set for a failure that is not merely that of a nested test. */
  readonly error?: string;
}

let file = '';

function hear({ type, data }: TestEvent): void {
  if (type === 'test:start' && data.nesting === 0) file = data.name;
  if (type === 'test:diagnostic') {
    send({ kind: 'note', file, depth: data.nesting, text: data.message });
  }
  if (type !== 'test:pass' && type !== 'test:fail') return;
  const { details, name, nesting: depth } = data;
  const common = { file, depth, name, isSuite: details.type === 'suite' };
  if ('error' in details) {
    const { failureType, cause } = details.error as Error & { failureType?: string };
    const isOfTestsWithin = failureType === 'subtestsFailed';
    const error = isOfTestsWithin ? {} : { error: inspect(cause ?? details.error) };
    send({ kind: 'failed', ...common, ...error });
  } else {
    const isLeftOut = (data.skip ?? data.todo ?? false) !== false;
    send({ kind: isLeftOut ? 'skipped' : 'passed', ...common });
  }
}

// A reporter is a default export.
// oxlint-disable-next-line import/no-default-export
export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    hear(event);
    done();
  },
});

export function send(message: Report): void {
  if (process.connected) process.send?.(message);
}
