// What a reader of events needs to know about them, from their schemas.

import { scopesToReceive } from '@keywright/contract/event-scopes';
import { EVENT_TYPES, EventRecord, EVENTS, type EventType } from '@keywright/contract/events';
import { typesOf } from '@keywright/contract/expectation';
import type { EventFacts, EventField } from '../src/api/event-facts.ts';
import type { FieldSchema } from './facts.ts';

interface EventSchema extends FieldSchema {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, EventSchema>>;
  readonly items?: EventSchema;
}

/** The fields of every event, whatever its type. */
export function fieldsOfAll(): readonly EventField[] {
  const { data: _ofType, ...envelope } = EventRecord.properties;
  return Object.entries(envelope).map(([name, schema]) => {
    // The list of types is not a fact about any single type.
    const { choices: _types, ...field } = fieldOf(name, schema as EventSchema, true);
    return field;
  });
}

/** By type. */
export function factsOfEvents(): readonly (readonly [type: EventType, facts: EventFacts])[] {
  return EVENT_TYPES.map((type) => {
    const fields = fieldsBelow('data', EVENTS[type].data as EventSchema);
    return [type, { scopes: scopesToReceive(type), fields }];
  });
}

/** With those within them. */
function fieldsBelow(path: string, { properties = {}, required = [] }: EventSchema): EventField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const fieldPath = `${path}.${name}`;
    const { items } = schema;
    const inItems = items ? fieldsBelow(`${fieldPath}[]`, items) : [];
    return [fieldOf(fieldPath, schema, required.includes(name))].concat(
      fieldsBelow(fieldPath, schema),
      inItems,
    );
  });
}

function fieldOf(path: string, schema: EventSchema, isRequired: boolean): EventField {
  const choices = choicesOf(schema);
  return {
    path,
    type: typeOf(schema),
    ...(!isRequired && { optional: true as const }),
    ...(choices && { choices }),
  };
}

function typeOf(schema: EventSchema): string {
  if (schema.items) return `${typeOf(schema.items)}[]`;
  if (schema.format !== undefined) return schema.format;
  return choicesOf(schema) ? 'string' : typesOf(schema).join(' | ');
}

function choicesOf({ enum: values, anyOf }: EventSchema): readonly string[] | undefined {
  return (values ?? anyOf?.map(({ const: value }) => value))?.map(String);
}
