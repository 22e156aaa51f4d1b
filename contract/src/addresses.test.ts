import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesAddress } from './addresses.ts';

const ADDRESSES = [
  'Sign in at https://evil.example',
  'Sign in at evil.example',
  'EVIL.EXAMPLE/login',
  'Visit www.evil.example now',
  'Ask help@evil.example',
  'help@localhost',
  'myapp://login',
  'http://[::1]:8080',
  'Open 192.0.2.1',
  'evil。example',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  '例え.テスト',
  'xn--r8jz45g.example',
  'evil.{{company}}',
  '{{company}}.example',
  '{{code}}.example.com',
  'evil.{company}',
  'evil_host.example',
  'Visit evil.c\u200Dom',
  'evil\u00AD.c\u200Bom',
  '\u202Emo\u2060c.l\u2060ive',
];
const PLAIN = [
  '',
  'Sign in',
  'Your code is {{code}}. It is valid for {{duration}}.',
  'Hello {{identifier}}!\n\n{{link}}\n\nBye.',
  'Version 1.2 of 3.4, at 10.30',
  'z. B. Fragen, usw.',
  'Wait … then try again.',
  'Questions? Contact {{support_email}}.',
  'コードは {{code}} です。10 分間有効です。',
  'الرمز هو {{code}}.',
];

test('A text that a mail program could show as a link names an address', () => {
  for (const text of ADDRESSES) assert.equal(namesAddress(text), true, text);
});

test('A text of sentences, numbers and variables names no address', () => {
  for (const text of PLAIN) assert.equal(namesAddress(text), false, text);
});
