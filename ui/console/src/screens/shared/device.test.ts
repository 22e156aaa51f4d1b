import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EN } from '../../texts/en.ts';
import { formatMessage } from '../../texts/format.ts';
import type { Texts } from '../../texts/texts.tsx';
import { deviceOf } from './device.ts';

const say: Texts['say'] = (key, values) => formatMessage('en', EN[key], values);

it('A device is the browser and the system, or what it calls itself', () => {
  const cases = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
  ] as const;
  for (const [agent, device] of cases) assert.equal(deviceOf(agent, say), device);
});
