import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVENT_TYPES, EVENTS } from '@keywright/contract/events';
import { exampleOf } from '@keywright/contract/example';
import { EVENT_FACTS, EVENT_FIELDS } from '../../generated/event-facts.ts';
import { pathsIn, unknownIn } from './fields.ts';

const fieldsOf = (type: string) => [...EVENT_FIELDS, ...(EVENT_FACTS[type]?.fields ?? [])];
const exampleOfEvent = (type: keyof typeof EVENTS) => ({
  id: 'evt_1',
  type,
  created_at: '2026-11-22T09:30:00.000Z',
  data: exampleOf(EVENTS[type].data),
});

describe('the fields of an event', () => {
  it('The fields of an event of every type are those that its facts describe', () => {
    for (const type of EVENT_TYPES) {
      const present = pathsIn(exampleOfEvent(type));
      assert.deepEqual(unknownIn(present, fieldsOf(type)), [], type);
      const missing = fieldsOf(type).filter(({ path }) => !present.has(path));
      assert.deepEqual(
        missing.filter(({ optional }) => !optional),
        [],
        type,
      );
    }
  });

  it('The fields of an event are described with their type', () => {
    for (const type of EVENT_TYPES) {
      for (const { path, type: of } of fieldsOf(type)) {
        assert.match(of, /^(string|date-time|boolean|integer|object)(\[\])*$/, `${type} ${path}`);
      }
    }
  });

  it('The optional fields of an event are present in only some events of a type', () => {
    const { fields = [] } = EVENT_FACTS['factor.suspicious'] ?? {};
    const optional = fields.filter((field) => field.optional).map(({ path }) => path);
    assert.deepEqual(optional, ['data.factor_id', 'data.channel']);
    const { data, ...rest } = exampleOfEvent('factor.suspicious');
    const { channel: _, ...without } = data as Record<string, unknown>;
    assert.equal(pathsIn({ ...rest, data: without }).has('data.channel'), false);
  });

  it('A field of an event that is newer than the facts is named once, without those within it', () => {
    const event = exampleOfEvent('user.created');
    const newer = { ...event, trace: { id: 1 }, data: { ...Object(event.data), more: [{ a: 1 }] } };
    const unknown = unknownIn(pathsIn(newer), fieldsOf('user.created'));
    assert.deepEqual(unknown.toSorted(), ['data.more', 'trace']);
  });
});
