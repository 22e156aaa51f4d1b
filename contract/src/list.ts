import Type, { type TSchema } from 'typebox';
import { type TenantId, TenantIdSchema } from './ids.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** Up to this number, `total` is exact. */
export const EXACT_TOTAL = 10_000;

/** A count that is capped above the largest exact total. */
export function howMany(of: string) {
  return Type.Integer({
    minimum: 0,
    maximum: EXACT_TOTAL + 1,
    description: `Number of ${of}, counted up to 10,001.`,
    examples: [12],
  });
}

/** The query fields of a list, which is paged by number or by cursor. A limit above 100 counts as 100. */
export const listQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Page number, starting at 1. Default: 1.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Items per page. Default: 20; maximum: 100. Larger values are treated as 100.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 1024, description: 'The `meta.next_cursor` of the previous page.' }),
  ),
};

/**
 * Names a tenant other than the request's own (SPEC authentication 9). The router checks it and calls the handler
 * with that tenant.
 */
export const OF_TENANT = {
  tenant_id: Type.Optional(
    Type.Unsafe<TenantId>({
      ...TenantIdSchema,
      description: 'ID of another tenant. System administrators only.',
    }),
  ),
};

const ListMeta = Type.Object(
  {
    page: Type.Integer({ description: 'Number of this page, starting at 1.' }),
    limit: Type.Integer({ description: 'Maximum number of items per page.' }),
    total: Type.Integer({ description: 'Total number of items in the list.' }),
    total_is_estimate: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if `total` is an estimate: above 10,000, or in a search or filtered list that many users match.',
      }),
    ),
    next_cursor: Type.Optional(
      Type.String({
        description: 'The `cursor` of the next page. Absent on the last page.',
      }),
    ),
  },
  {
    $id: 'ListMeta',
    description: 'Position of a page in its list.',
    examples: [{ page: 1, limit: 20, total: 1 }],
  },
);

/** Returns the schema of a list response, `{items, meta}` (SPEC resources list responses). */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item, { description: 'The items of the page.' }),
    meta: ListMeta,
  });
}
