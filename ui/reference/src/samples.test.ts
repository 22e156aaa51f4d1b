import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROUTES } from '@keywright/contract/routes';
import { parseSync } from 'oxc-parser';
import { Value } from 'typebox/value';
import { sampleRequest } from './request.ts';
import { samplesOf } from './samples.ts';

describe('the samples of the reference', () => {
  for (const route of ROUTES) {
    it(`The JavaScript sample of ${route.id} parses, and each sample has the URL of its request or its SDK method`, () => {
      const { curl, js, python, go } = samplesOf(route);
      assert.deepEqual(parseSync('sample.mjs', js).errors, []);
      const { url } = sampleRequest(route);
      for (const text of [curl, python, go]) assert.ok(text.includes(url), text);
      assert.match(js, /await fetch\('|client\.\w+\.\w+\(/);
      assert.doesNotMatch([curl, js, python, go].join('\n'), /undefined|\[object|NaN/);
    });

    it(`The sample body of ${route.id} matches its schema`, () => {
      const { body } = sampleRequest(route);
      if (!body) return;
      if (body.kind === 'lines')
        return assert.ok(Value.Check(route.lines?.schema ?? {}, body.lines[0]));
      const value = body.kind === 'form' ? body.fields : body.value;
      return assert.ok(Value.Check(route.body ?? {}, value), JSON.stringify(value));
    });
  }
});
