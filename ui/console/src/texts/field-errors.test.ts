import assert from 'node:assert/strict';
import { it } from 'node:test';
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

it('A message without a text is replaced by a general text, because it is in English', () => {
  assert.deepEqual(textOf('must be ES256 or EdDSA'), { text: 'Check this value.' });
});
