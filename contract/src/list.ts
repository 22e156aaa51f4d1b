import Type, { type TSchema } from 'typebox';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** A `total` is counted exactly up to here. */
export const EXACT_TOTAL = 10_000;

/** Query fields of a list: pages by number, or a walk by cursor. A limit above 100 is taken as 100. */
export const listQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'The number of the page, from 1; default 1.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'How many items a page holds: default 20; above 100 is taken as 100.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 1024, description: '`meta.next_cursor` of the page before.' }),
  ),
};

const ListMeta = Type.Object(
  {
    page: Type.Integer({ description: 'The number of this page, from 1.' }),
    limit: Type.Integer({ description: 'How many a page holds at the most.' }),
    total: Type.Integer({ description: 'How many there are in the whole list.' }),
    total_is_estimate: Type.Optional(
      Type.Literal(true, {
        description: 'There when `total` is an estimate: above 10,000.',
      }),
    ),
    next_cursor: Type.Optional(
      Type.String({
        description: 'What the next page is asked for by, as `cursor`. Absent on the last page.',
      }),
    ),
  },
  {
    $id: 'ListMeta',
    description: 'Where a page stands in its list.',
    examples: [{ page: 1, limit: 20, total: 1 }],
  },
);

/** `{items, meta}` (SPEC resources list responses). */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item, { description: 'The page.' }),
    meta: ListMeta,
  });
}
