import { SECRET_MARK } from '@keywright/contract/records/tokens';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [SECRET_MARK]?: boolean;
}

/** The strings in a value that the schema marks as secrets. */
export function markedSecrets(schema: Schema | undefined, value: unknown): string[] {
  if (schema === undefined || value === undefined) return [];
  if (schema[SECRET_MARK] === true) return typeof value === 'string' ? [value] : [];
  const { properties = {}, items, anyOf = [] } = schema;
  const fields = typeof value === 'object' && value !== null ? value : {};
  const elements = Array.isArray(value) ? value : [];
  return [
    ...anyOf.flatMap((part) => markedSecrets(part, value)),
    ...elements.flatMap((element) => markedSecrets(items, element)),
    ...Object.entries(properties).flatMap(([name, part]) =>
      markedSecrets(part, (fields as Readonly<Record<string, unknown>>)[name]),
    ),
  ];
}
