import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openLog, type RequestLine } from './log.ts';
import { readableLine } from './readable-log.ts';

const LINE: RequestLine = {
  reqId: 'req_1',
  method: 'GET',
  path: '/livez',
  status: 200,
  ms: 1.5,
  address: '192.0.2.1',
  tenant: undefined,
  subject: undefined,
  code: 'a "quoted" word',
};

/** The log line of a request at this level. */
function writtenBy(level: string, worker?: number): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  openLog(level, { write }, worker).request(LINE);
  return written;
}

describe('the log line of a request', () => {
  for (const level of ['trace', 'debug', 'info']) {
    test(`The log line of a request is one JSON object at level ${level}`, () => {
      const { time, ...line } = JSON.parse(writtenBy(level, 3)) as Record<string, unknown>;
      assert.equal(typeof time, 'string');
      const { tenant: _tenant, subject: _subject, ...logged } = LINE;
      assert.deepEqual(line, { level: 30, worker: 3, ...logged, msg: 'request' });
      assert.ok(writtenBy(level).endsWith('}\n'));
    });
  }

  for (const level of ['warn', 'error', 'silent']) {
    test(`The log line of a request is not written at level ${level}`, () => {
      assert.equal(writtenBy(level), '');
    });
  }
});

describe('on a terminal', () => {
  const TIME = /^\d\d:\d\d:\d\d /;
  /** The terminal output of a line. */
  function shown(write: (log: ReturnType<typeof openLog>) => void): string {
    let text = '';
    write(openLog('trace', { write: (line) => (text += readableLine(line)) }, 2));
    return text.replace(TIME, '');
  }

  test('A request is one short line on a terminal', () => {
    const line = { ...LINE, tenant: 'org_default', subject: 'user:1', ms: 3.4, code: undefined };
    assert.equal(
      shown((log) => log.request(line)),
      'GET /livez 200 3 ms\n',
    );
    const refused = { ...line, status: 401, code: 'TOKEN_INVALID' };
    assert.equal(
      shown((log) => log.request(refused)),
      'GET /livez 401 3 ms TOKEN_INVALID\n',
    );
    assert.match(readableLine(writtenBy('info')), TIME);
  });

  test('A message on a terminal has its fields, and its level unless that is info', () => {
    assert.equal(
      shown((log) => log.info({ port: 80 }, 'listening')),
      'listening port=80\n',
    );
    assert.equal(
      shown((log) => log.warn({ a: 'b' }, 'careful')),
      'WARN careful a=b\n',
    );
  });

  test('A warning on a terminal names its cause, and an error also shows the stack', () => {
    const err = new Error('no such host');
    assert.equal(
      shown((log) => log.warn({ err }, 'not sent')),
      'WARN not sent: no such host\n',
    );
    const error = shown((log) => log.error({ err }, 'not sent'));
    assert.match(error, /^ERROR not sent: no such host \nError: no such host\n {4}at /);
  });

  test('The characters of a request cannot control the terminal that shows its log line', () => {
    const hostile = '/\u001b[2J\u009b31m\r\n\u202e\u2028x';
    const line = shown((log) => log.request({ ...LINE, path: hostile }));
    assert.ok(line.includes(String.raw`/\u001b[2J\u009b31m\u000d\u000a\u202e\u2028x`), line);
    const warning = shown((log) =>
      log.warn({ err: new Error(hostile), [hostile]: hostile }, hostile),
    );
    assert.equal(/[\p{Cc}\p{Cf}]/u.test(warning.slice(0, -1)), false, warning);
  });
});

// Writes lines to standard output, and the number of system calls this took to standard error.
const PROGRAM = `
  import fs from 'node:fs';
  const calls = { writeSync: 0, fsyncSync: 0, fsync: 0 };
  for (const name of Object.keys(calls)) {
    const call = fs[name];
    fs[name] = (...args) => {
      calls[name] += 1;
      return call(...args);
    };
  }
  const { openLog } = await import(${JSON.stringify(import.meta.resolve('./log.ts'))});
  const log = openLog('info');
  for (let line = 0; line < 100; line += 1) log.info({ line }, 'x'.repeat(100));
  process.on('exit', () => fs.writeFileSync(2, JSON.stringify(calls)));
`;

describe('standard output', () => {
  test('The log is written to standard output in batches, without waiting for a disk, and completely', async () => {
    const args = ['--input-type=module', '--eval', PROGRAM];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    const lines = stdout.trimEnd().split('\n');
    const numbers = lines.map((line) => (JSON.parse(line) as { line: number }).line);
    assert.deepEqual(
      numbers,
      Array.from({ length: 100 }, (_, line) => line),
    );
    const { writeSync, ...waits } = JSON.parse(stderr) as Record<string, number>;
    assert.deepEqual(waits, { fsyncSync: 0, fsync: 0 });
    const fewest = Buffer.byteLength(stdout) / 4096;
    assert.ok((writeSync ?? 0) <= 2 * fewest, `${writeSync} writes`);
  });

  test('A full disk behind standard output neither blocks nor ends the process, and the lost lines are counted', async () => {
    const full = openSync('/dev/full', 'w');
    const lines = 20_000;
    const program = `
      const { openLog, standardOutput } = await import(${JSON.stringify(import.meta.resolve('./log.ts'))});
      const log = openLog('info');
      for (let line = 0; line < ${lines}; line += 1) log.info({ line }, 'x'.repeat(100));
      log.flush();
      process.stderr.write(String(standardOutput().lost));
    `;
    const args = ['--input-type=module', '--eval', program];
    const child = spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let lost = '';
    child.stderr?.on('data', (chunk: Buffer) => (lost += chunk.toString()));
    await once(child, 'close');
    assert.equal(child.exitCode, 0, lost);
    // The others are in the buffer, which is bounded.
    assert.ok(Number(lost) > 0 && Number(lost) < lines, lost);
  });
});
