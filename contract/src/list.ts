import Type, { type TSchema } from 'typebox';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** A `total` is counted exactly up to here. */
export const EXACT_TOTAL = 10_000;

/** Query fields of a list: pages by number, or a walk by cursor. A limit above 100 is taken as 100. */
export const listQuery = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'From 1; default 1.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Default 20; above 100 is taken as 100.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 1024, description: 'meta.next_cursor of the page before.' }),
  ),
};

const ListMeta = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    total_is_estimate: Type.Optional(Type.Literal(true)),
    next_cursor: Type.Optional(Type.String()),
  },
  { $id: 'ListMeta', description: 'Where a page stands in its list.' },
);

/** `{items, meta}` (SPEC resources list responses). */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object({ items: Type.Array(item), meta: ListMeta });
}
