import type { ReactNode } from 'react';
import type { TSchema } from 'typebox';

/** A schema, as the pages read it. */
export interface Field {
  readonly $id?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Field[];
  readonly oneOf?: readonly Field[];
}

export function fieldOf(schema: TSchema): Field {
  return schema;
}

/** Text in which backticks mark code. */
export function Prose({ text }: { readonly text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

interface FieldListProps {
  readonly schema: Field;
  /** Records that the page describes once, in a section of their own. */
  readonly shared: ReadonlySet<string>;
  /** Whether requests contain these fields. Only then it matters which are required. */
  readonly isRequest: boolean;
}

/** The fields of an object, with the fields of nested objects below each. */
export function FieldList({ schema, shared, isRequest }: FieldListProps) {
  const fields = Object.entries(schema.properties ?? {});
  return (
    <dl className="fields">
      {fields.map(([name, field]) => (
        <div key={name}>
          <dt>
            <code>{name}</code> <span className="type">{typeText(field, isRequest)}</span>
            {isRequest && schema.required?.includes(name) && (
              <span className="required">Required</span>
            )}
          </dt>
          <dd>
            {field.description !== undefined && <Prose text={field.description} />}
            <Inner field={field} shared={shared} isRequest={isRequest} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Inner({
  field,
  shared,
  isRequest,
}: {
  readonly field: Field;
  readonly shared: ReadonlySet<string>;
  readonly isRequest: boolean;
}): ReactNode {
  const inner = objectIn(field);
  if (!inner) return null;
  if (inner.$id !== undefined && shared.has(inner.$id)) return <RecordLink name={inner.$id} />;
  return (
    <details>
      <summary>{Object.keys(inner.properties ?? {}).length} fields</summary>
      <FieldList schema={inner} shared={shared} isRequest={isRequest} />
    </details>
  );
}

export function RecordLink({ name }: { readonly name: string }) {
  return (
    <p>
      <a href={`#record-${name}`}>Fields of {name}</a>
    </p>
  );
}

/** The object that a field is, or has as its items. */
export function objectIn(field: Field): Field | undefined {
  if (Object.keys(field.properties ?? {}).length > 0) return field;
  if (field.items) return objectIn(field.items);
  const members = field.anyOf ?? field.oneOf ?? [];
  const objects = members.flatMap((member) => objectIn(member) ?? []);
  return objects.length === 1 ? objects[0] : undefined;
}

const BOUNDS: readonly (readonly [least: string, most: string, unit: string])[] = [
  ['minLength', 'maxLength', 'characters'],
  ['minimum', 'maximum', ''],
  ['minItems', 'maxItems', 'items'],
];

/** @param isBounded whether the text includes limits, which concern only requests */
export function typeText(field: Field, isBounded = false): string {
  if (field.enum) return field.enum.map((value) => String(value)).join(' | ');
  if ('const' in field) return JSON.stringify(field.const);
  const members = field.anyOf ?? field.oneOf;
  if (members)
    return [...new Set(members.map((member) => typeText(member, isBounded)))].join(' | ');
  const type = field.items
    ? `array of ${typeText(field.items, isBounded)}`
    : (field.$id ?? field.type ?? 'any');
  if (!isBounded) return type;
  const bounds = BOUNDS.flatMap(([least, most, unit]) => boundText(field, least, most, unit));
  return [type, ...bounds].join(', ');
}

function boundText(field: Field, least: string, most: string, unit: string): string[] {
  const values = field as Readonly<Record<string, number | undefined>>;
  const [low, high] = [values[least], values[most]];
  const end = unit === '' ? '' : ` ${unit}`;
  if (low !== undefined && high !== undefined) return [`${low}–${high}${end}`];
  if (low !== undefined) return [`at least ${low}${end}`];
  return high === undefined ? [] : [`up to ${high}${end}`];
}
