import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLog, type RequestLine } from './log.ts';

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

/** What a log of the level writes for a request. */
function writtenBy(level: string, worker?: number): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  createLog(level, { write }, worker).request(LINE);
  return written;
}

describe('the log line of a request', () => {
  for (const level of ['trace', 'debug', 'info']) {
    test(`is one JSON object, at level ${level}`, () => {
      const { time, ...line } = JSON.parse(writtenBy(level, 3)) as Record<string, unknown>;
      assert.equal(typeof time, 'string');
      const { tenant: _tenant, subject: _subject, ...told } = LINE;
      assert.deepEqual(line, { level: 30, worker: 3, ...told, msg: 'request' });
      assert.ok(writtenBy(level).endsWith('}\n'));
    });
  }

  for (const level of ['warn', 'error', 'silent']) {
    test(`is not written at level ${level}`, () => {
      assert.equal(writtenBy(level), '');
    });
  }
});
