import type { TSchema } from 'typebox';

interface Node {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

/** The example for every time without its own example. */
const EXAMPLE_TIME = '2026-11-22T09:30:00.000Z';

/**
 * Returns an example for a schema: its own (`examples`), or one composed of the examples of its parts. Strings and
 * numbers must have their own.
 * @throws Error naming the field without an example
 */
export function exampleOf(schema: TSchema, place = ''): unknown {
  const node = schema as Node;
  if (node.examples) return node.examples[0];
  if ('const' in node) return node.const;
  if ('default' in node) return node.default;
  if (node.enum) return node.enum[0];
  if (node.anyOf?.[0]) return exampleOf(node.anyOf[0], place);
  const [type] = [node.type].flat();
  if (type === 'object') return objectOf(node.properties ?? {}, place);
  if (type === 'array' && node.items) return [exampleOf(node.items, `${place}[]`)];
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (node.format === 'date-time') return EXAMPLE_TIME;
  throw new Error(`${place || 'A schema'} has no example. Add one to it: examples: [...]`);
}

function objectOf(properties: Readonly<Record<string, TSchema>>, place: string): object {
  const fields = Object.entries(properties);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, exampleOf(field, `${place}.${name}`)]),
  );
}
