import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EXPECTS, expectationOf, type RequestSchema } from '@keywright/contract/expectation';
import { ROUTES } from '@keywright/contract/routes';
import { explain } from '@keywright/server/platform/http/explain';
import { EN } from './en.ts';
import { errorTextOf } from './field-errors.ts';
import { formatMessage } from './format.ts';

const textOf = (message: string) =>
  errorTextOf(message, (key, values) => formatMessage('en', EN[key], values));

it('Messages of the service about a field have a text in the language of the console', () => {
  const TEXTS: readonly (readonly [message: string, text: string])[] = [
    ['is required', 'Required.'],
    ['must have at most 128 characters', 'Use at most 128 characters.'],
    ['needs at least 12 characters', 'Use at least 12 characters.'],
    ['must be at least 60', 'Must be at least 60.'],
    ['must not contain duplicate entries', 'The same entry appears twice.'],
    ['must be an email address: the invitation is sent to it', 'Enter a valid email address.'],
    [
      'must be an email address, or a phone number such as +15551234567',
      'Enter an email address or a phone number such as +15551234567.',
    ],
    ['is not the name of a role of the tenant', 'No longer exists.'],
    ['The text must not contain {name}: known are {client}.', '{name} isn’t available here.'],
    ['{{user}} is not a variable of login. Use one of: code.', '{{user}} isn’t available here.'],
    ['The text must contain {{code}} or {{link}}.', 'Include {{code}} / {{link}}.'],
  ];
  for (const [message, text] of TEXTS) assert.deepEqual(textOf(message), { text }, message);
});

/** The schemas of all fields in the bodies of requests. */
function fieldsIn(schema: RequestSchema): RequestSchema[] {
  const { anyOf = [], items, properties = {}, additionalProperties: others } = schema;
  const parts = [...anyOf, ...Object.values(properties)];
  if (items) parts.push(items);
  if (typeof others === 'object') parts.push(others);
  return [schema, ...parts.flatMap(fieldsIn)];
}

const FIELDS = ROUTES.flatMap(({ body }) => (body ? fieldsIn(body as RequestSchema) : []));

/** Values that break a limit of the schema. */
function beyond(schema: RequestSchema): unknown[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, uniqueItems } = schema;
  const values: unknown[] = [];
  if (minLength) values.push('x'.repeat(minLength - 1));
  if (maxLength !== undefined) values.push('x'.repeat(maxLength + 1));
  if (minimum !== undefined) values.push(minimum - 1);
  if (maximum !== undefined) values.push(maximum + 1);
  if (minItems) values.push([]);
  if (maxItems !== undefined) values.push(Array.from({ length: maxItems + 1 }));
  if (uniqueItems) values.push([1, 1]);
  return values;
}

const keyOf = (message: string) => errorTextOf(message, (key) => key).text;

it('Each message about a limit or an entry that the service makes from the contract has a text', () => {
  const messages = FIELDS.flatMap((schema) =>
    beyond(schema).flatMap((value) => explain({ ...schema, items: {} }, value)),
  );
  const missing = explain({ required: ['name'], properties: {}, type: 'object' }, {});
  for (const { message } of [...messages, ...missing]) {
    assert.notEqual(keyOf(message), 'fieldError.invalid', message);
  }
});

it('What the contract expects has a text of its own if it is an email address, a host, a network or an https URL', () => {
  const expected = FIELDS.filter((schema) => EXPECTS in schema).map(expectationOf);
  const common = expected.filter((text) => /email|host name|^an IP|^an https URL/.test(text));
  assert.ok(new Set(common).size > 4, common.join('; '));
  for (const text of common) {
    assert.notEqual(keyOf(`must be ${text}`), 'fieldError.invalid', text);
  }
});

it('A message without a text is replaced by a general text, because it is in English', () => {
  assert.deepEqual(textOf('must be ES256 or EdDSA'), { text: 'Check this value.' });
});
