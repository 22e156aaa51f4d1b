import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseIdentifier, searchForm } from './identifiers.ts';

describe('an email address', () => {
  const read: readonly (readonly [text: string, normalized: string])[] = [
    ['ada@example.com', 'ada@example.com'],
    ['Ada.Lovelace@Example.COM', 'ada.lovelace@example.com'],
    ['a@b', 'a@b'],
    ['ada+tag@example.com', 'ada+tag@example.com'],
    ["o'brien@example.com", "o'brien@example.com"],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['ada@mail-1.example.co.uk', 'ada@mail-1.example.co.uk'],
    ['zoë@exämple.com', 'zoë@xn--exmple-cua.com'],
    ['zoe\u0308@example.com', 'zoë@example.com'],
    ['ａｄａ@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
    ['\ufb01ne@example.com', 'fine@example.com'],
    ['ΑΘΗΝΑ@example.com', 'αθηνα@example.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`a@${'b'.repeat(63)}.com`, `a@${'b'.repeat(63)}.com`],
  ];
  for (const [text, identifier] of read) {
    test(`${JSON.stringify(text).slice(0, 60)} is read in the one way it is written`, () => {
      assert.deepEqual(parseIdentifier(text), { type: 'email', identifier });
      assert.deepEqual(parseIdentifier(identifier), { type: 'email', identifier }, 'once more');
    });
  }

  test('An email address has one normal form, however its internationalized domain is written', () => {
    const mailboxes = [
      ['ada@b\u00fccher.example', 'ada@BU\u0308CHER.example', 'Ada@XN--BCHER-KVA.example'],
      ['ada@stra\u00dfe.example', 'ada@STRA\u1e9eE.example', 'ada@xn--strae-oqa.example'],
      ['ada@\u0939\u093f\u0928\u094d\u0926\u0940.example', 'ada@xn--j2bd4cyah0f.example'],
      ['ada@\u4f8b\u3048.jp', 'ada@\uff38n--r8jz45g.jp', 'ada@xn--r8jz45g.jp'],
      ['ada@faß.\u00f6sterreich', 'ada@xn--fa-hia.xn--sterreich-z7a'],
    ];
    for (const [first, ...others] of mailboxes) {
      const { identifier } = parseIdentifier(first ?? '') ?? assert.fail(first);
      assert.match(identifier, /^ada@[a-z0-9.-]+$/);
      for (const other of others)
        assert.equal(parseIdentifier(other)?.identifier, identifier, other);
    }
  });

  test('An email address is rejected if its domain cannot be resolved', () => {
    const none = [
      'ada@xn--\u00fc.example',
      'ada@xn--a-.example',
      'ada@b\u00fccher.0x7f',
      `ada@${'\u00fc'.repeat(60)}.example`,
      'ada@b\u00fccher%2eexample',
      'ada@b\u00fccher/.example',
      'ada@b\u00fccher:80',
    ];
    for (const text of none) assert.equal(parseIdentifier(text), undefined, text);
    // ASCII names are not treated as spellings of IP addresses.
    assert.equal(parseIdentifier('ada@0x7f.1')?.identifier, 'ada@0x7f.1');
  });

  test('An email address can be searched by any part of it', () => {
    const typed: readonly (readonly [string, string])[] = [
      ['Ada@B\u00dcCHER.example', 'ada@xn--bcher-kva.example'],
      ['@b\u00fccher', '@xn--bcher-kva'],
      ['b\u00fccher.example', 'xn--bcher-kva.example'],
      ['EXAMPLE.com', 'example.com'],
      ['b\u00fccher', 'b\u00fccher'],
      ['zo\u00eb@ex', 'zo\u00eb@ex'],
      ['%40_', '%40_'],
      ['a@\u00fc@', 'a@\u00fc@'],
    ];
    for (const [text, form] of typed) assert.equal(searchForm(text), form, text);
  });

  test('An email address is not changed by a second normalization', () => {
    let count = 0;
    for (let code = 0; code < 0x2_0000; code += 1) {
      const identifier = parseIdentifier(`a${String.fromCodePoint(code)}b@example.com`)?.identifier;
      if (identifier === undefined) continue;
      count += 1;
      assert.equal(parseIdentifier(identifier)?.identifier, identifier, `U+${code.toString(16)}`);
    }
    assert.ok(count > 50_000);
  });

  test('An email address has at most 254 characters', () => {
    const fitting = `a@${`${'b'.repeat(50)}.`.repeat(4)}${'c'.repeat(48)}`;
    assert.equal(fitting.length, 254);
    assert.ok(parseIdentifier(fitting));
    assert.equal(parseIdentifier(`a${fitting}`), undefined);
  });

  const refused: Readonly<Record<string, string>> = {
    nothing: '',
    'no @': 'ada.example.com',
    'two @': 'ada@example@com',
    'a wide @ instead of one': 'ada\uff20example.com',
    'a wide @ in addition to one': 'ada\uff20evil@example.com',
    'a small @ in addition to one': 'ada@example\ufe6bcom',
    'no local part': '@example.com',
    'no domain': 'ada@',
    'a space': 'ada lovelace@example.com',
    'a space before it': ' ada@example.com',
    'a line break after it': 'ada@example.com\n',
    'a tab': 'ada\t@example.com',
    'a NUL': 'ada\0@example.com',
    'an escape character': 'ada\u001b@example.com',
    'a no-break space': 'ada\u00a0@example.com',
    'a character of no width': 'ada\u200b@example.com',
    'a change of direction': 'ada\u202e@example.com',
    'a quoted local part': '"ada lovelace"@example.com',
    'a comment': 'ada(lovelace)@example.com',
    'a display name': 'Ada <ada@example.com>',
    'a list': 'ada@example.com,bob@example.com',
    'a dot at the start': '.ada@example.com',
    'a dot at the end of the local part': 'ada.@example.com',
    'two dots': 'ada..lovelace@example.com',
    'a dot at the end of the domain': 'ada@example.com.',
    'a dot at the start of the domain': 'ada@.example.com',
    'two dots in the domain': 'ada@example..com',
    'a hyphen at the start of a label': 'ada@-example.com',
    'a hyphen at the end of a label': 'ada@example-.com',
    'an underscore in the domain': 'ada@exa_mple.com',
    'an address literal': 'ada@[127.0.0.1]',
    'a local part of 65 characters': `${'a'.repeat(65)}@example.com`,
    'a label of 64 characters': `a@${'b'.repeat(64)}.com`,
    'a local part that grows under NFKC': `${'\ufb03'.repeat(22)}@example.com`,
    'an address that grows beyond 254 under NFKC': `a@${`${'\u337f'.repeat(15)}.`.repeat(5)}com`,
    'a lone surrogate': 'ada\ud800@example.com',
  };
  for (const [what, text] of Object.entries(refused)) {
    test(`An email address is rejected with ${what}`, () =>
      assert.equal(parseIdentifier(text), undefined));
  }

  test('An email address is rejected with a control character or white space anywhere', () => {
    const codes = [
      ...Array.from({ length: 33 }, (_, code) => code),
      0x7f,
      0x85,
      0xa0,
      0x2028,
      0xfeff,
    ];
    for (const code of codes) {
      const character = String.fromCodePoint(code);
      for (const text of [
        `${character}ada@example.com`,
        `a${character}da@example.com`,
        `ada@exa${character}mple.com`,
        `ada@example.com${character}`,
      ]) {
        assert.equal(parseIdentifier(text), undefined, `U+${code.toString(16)}`);
      }
    }
  });
});

describe('a phone number', () => {
  test('A phone number is a plus and 7 to 15 digits, the first not zero', () => {
    for (const text of ['+4915112345678', '+1234567', '+123456789012345']) {
      assert.deepEqual(parseIdentifier(text), { type: 'phone', identifier: text });
    }
    const refused = [
      '4915112345678',
      '+0915112345678',
      '+123456',
      '+1234567890123456',
      '+49 151 12345678',
      '+49-151-12345678',
      '+4915112345678\n',
      '++4915112345678',
      '＋4915112345678',
      '+４９１５１１２３４５６７８',
      '+49151x',
    ];
    for (const text of refused) assert.equal(parseIdentifier(text), undefined, text);
  });
});
