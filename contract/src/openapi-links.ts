import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/**
 * Returns links to the operations on a created record (OpenAPI links): each operation whose path extends the path of
 * the creating operation. The ID in the response becomes its first parameter.
 */
export function linksOf(route: Route, routes: readonly Route[]): Json {
  if (route.ok.status !== 201) return {};
  const { properties = {} } = route.ok.body as { properties?: Json };
  const field = ['id', 'client_id', 'name'].find((name) => name in properties);
  const below = routes.filter(({ path }) => path.startsWith(`${route.path}/:`));
  const links = below.map(({ id, path }) => {
    const [, parameter = ''] = path.slice(route.path.length).split(/[/:]+/);
    const link = { operationId: id, parameters: { [parameter]: `$response.body#/${field}` } };
    return [id, link];
  });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) };
}
