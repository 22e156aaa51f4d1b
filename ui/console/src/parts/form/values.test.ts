import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldFacts, FieldKind } from '../../api/field-facts.ts';
import {
  bodyOf,
  bodyWithPart,
  errorsByField,
  FieldError,
  isSameValue,
  partOf,
  resetMark,
  textOfValue,
  unitMark,
  withoutSecrets,
} from './values.ts';

const field = (name: string, kind: FieldKind, more: Partial<FieldFacts> = {}): FieldFacts => ({
  name,
  kind,
  of: 'user',
  ...more,
});

const FACTS = [
  field('name', 'text'),
  field('secret', 'secret'),
  field('days', 'number'),
  field('is_active', 'boolean'),
  field('roles', 'choices'),
  field('scopes', 'scopes'),
  field('metadata', 'json'),
];

function form(fields: readonly (readonly [string, string])[]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

describe('the body of a form', () => {
  it('The body of a form has each value in its type, and nothing that is empty', () => {
    const typed = form([
      ['name', ' Ada '],
      ['secret', ' with spaces '],
      ['days', '7'],
      ['is_active', 'true'],
      ['roles', 'member'],
      ['roles', 'support'],
      ['scopes', 'read:users\nread:roles, read:audit'],
      ['metadata', '{"a":1}'],
    ]);
    assert.deepEqual(bodyOf(FACTS, typed), {
      name: 'Ada',
      secret: ' with spaces ',
      days: 7,
      is_active: true,
      roles: ['member', 'support'],
      scopes: ['read:users', 'read:roles', 'read:audit'],
      metadata: { a: 1 },
    });
    assert.deepEqual(bodyOf(FACTS, form([['name', '  ']])), {});
  });

  it('The error for invalid JSON in a form names its field', () => {
    assert.throws(
      () => bodyOf(FACTS, form([['metadata', '{']])),
      (error) => error instanceof FieldError && error.field === 'metadata',
    );
  });
});

describe('the body of a change', () => {
  const facts = [...FACTS, field('limit', 'number', { nullable: true })];
  const present = {
    name: 'Ada',
    days: 7,
    is_active: true,
    roles: ['member'],
    scopes: ['read:users'],
    metadata: { a: 1 },
    limit: 5,
    other: 'of no field',
  };
  const unchanged = facts.flatMap((fact) => {
    const value = present[fact.name as keyof typeof present];
    if (fact.kind === 'choices') return [[fact.name, 'member'] as const];
    return [[fact.name, textOfValue(fact, value)] as const];
  });

  it('The body of a change is empty as long as nothing was changed', () => {
    assert.deepEqual(bodyOf(facts, form(unchanged), present), {});
  });

  it('The body of a change has what differs, and clears what was emptied', () => {
    const typed = unchanged.map(([name, value]): readonly [string, string] =>
      name === 'days'
        ? [name, '8']
        : name === 'limit' || name === 'scopes'
          ? [name, '']
          : [name, value],
    );
    const withoutRoles = typed.filter(([name]) => name !== 'roles');
    assert.deepEqual(bodyOf(facts, form(withoutRoles), present), {
      days: 8,
      roles: [],
      scopes: [],
      limit: null,
    });
  });
});

describe('a setting with a default', () => {
  const methods: FieldFacts = {
    name: 'methods',
    kind: 'choices',
    of: 'config',
    nullable: true,
    choices: ['a', 'b'],
    byDefault: ['a'],
  };

  it('A setting that is an empty list remains one, and returns to its default when the default is chosen', () => {
    assert.deepEqual(bodyOf([methods], new FormData(), { methods: [] }), {});
    const data = new FormData();
    data.set(resetMark('methods'), '');
    assert.deepEqual(bodyOf([methods], data, { methods: [] }), { methods: null });
    data.append('methods', 'b');
    assert.deepEqual(bodyOf([methods], data, { methods: [] }), { methods: ['b'] });
  });

  it('A setting differs from its default by its items, in any order', () => {
    assert.ok(isSameValue(methods, ['b', 'a'], ['a', 'b']));
    assert.ok(!isSameValue(methods, ['b'], ['a', 'b']));
  });
});

it('The part of a body is found below its names, and put there', () => {
  const body = bodyWithPart({ name: 'Ada' }, 'messaging/email');
  assert.deepEqual(body, { messaging: { email: { name: 'Ada' } } });
  assert.deepEqual(partOf(body, 'messaging/email'), { name: 'Ada' });
  assert.deepEqual(partOf({}, 'messaging/email'), {});
  assert.deepEqual(partOf({ name: 'Ada' }, undefined), { name: 'Ada' });
});

describe('the controls of a form', () => {
  const lifetime = field('lifetime', 'duration', { nullable: true, byDefault: 3600 });
  const until = field('until', 'date', { nullable: true, byDefault: null });
  const uris = field('uris', 'list');
  const isOn = field('is_on', 'boolean', { nullable: true, byDefault: true });

  it('A duration is sent in seconds, whatever its unit', () => {
    const typed = form([
      ['lifetime', '1.5'],
      [unitMark('lifetime'), '3600'],
    ]);
    assert.deepEqual(bodyOf([lifetime], typed), { lifetime: 5400 });
    assert.deepEqual(bodyOf([lifetime], typed, { lifetime: 5400 }), {});
    const emptied = form([[unitMark('lifetime'), '3600']]);
    assert.deepEqual(bodyOf([lifetime], emptied, { lifetime: 5400 }), { lifetime: null });
  });

  it('A date is sent as its first moment, and is unchanged as long as the day is the same', () => {
    const typed = form([['until', '2027-01-31']]);
    assert.deepEqual(bodyOf([until], typed), { until: '2027-01-31T00:00:00Z' });
    assert.equal(textOfValue(until, '2027-01-31T12:30:00Z'), '2027-01-31');
    assert.deepEqual(bodyOf([until], typed, { until: '2027-01-31T12:30:00Z' }), {});
  });

  it('The rows of a list are sent without empty ones', () => {
    const typed = form([
      ['uris', 'https://a.example'],
      ['uris', ' '],
      ['uris', 'https://b.example'],
    ]);
    assert.deepEqual(bodyOf([uris], typed), { uris: ['https://a.example', 'https://b.example'] });
    assert.deepEqual(bodyOf([uris], form([['uris', '']]), { uris: ['https://a.example'] }), {
      uris: [],
    });
  });

  it('A switch is sent if it differs from what is saved, or from its default', () => {
    const off = form([]);
    const on = form([['is_on', 'true']]);
    assert.deepEqual([bodyOf([isOn], on), bodyOf([isOn], off)], [{}, { is_on: false }]);
    assert.deepEqual(bodyOf([isOn], off, { is_on: false }), {});
    assert.deepEqual(bodyOf([isOn], on, { is_on: false }), { is_on: true });
    assert.deepEqual(bodyOf([isOn], on, {}), {});
    on.set(resetMark('is_on'), '');
    assert.deepEqual(bodyOf([isOn], on, { is_on: false }), { is_on: null });
  });
});

describe('the errors of an answer', () => {
  const textOf = (text: string) => ({ text });
  const errors = [
    { path: '/name', message: 'must be text' },
    { path: '/roles/0', message: 'must be a role' },
    { path: '/roles/1', message: 'must be another' },
    { path: '/elsewhere', message: 'must be right' },
  ];

  it('The errors of a response appear at their fields, and the others together', () => {
    assert.deepEqual(
      [...errorsByField(errors, FACTS, textOf)],
      [
        ['name', [{ text: 'must be text' }]],
        ['roles', [{ text: 'must be a role' }, { text: 'must be another' }]],
        ['', [{ text: 'must be right', path: '/elsewhere' }]],
      ],
    );
  });

  it('The errors of a response are found below the part of the body that the form fills in', () => {
    const below = [{ path: '/config/name', message: 'must be text' }];
    assert.deepEqual(
      [...errorsByField(below, FACTS, textOf, 'config')],
      [['name', [{ text: 'must be text' }]]],
    );
  });
});

it('A call that is shown has no secret in it', () => {
  const input = { params: { id: '1' }, body: { name: 'Ada', secret: 'hunter2' } };
  assert.deepEqual(withoutSecrets(input, FACTS), {
    params: { id: '1' },
    body: { name: 'Ada', secret: '…' },
  });

  const below = { body: { is_active: true, messaging: { email: { secret: 'hunter2' } } } };
  assert.deepEqual(withoutSecrets(below, FACTS, 'messaging/email'), {
    body: { is_active: true, messaging: { email: { secret: '…' } } },
  });
});
