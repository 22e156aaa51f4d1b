import type { TSchema } from 'typebox';
import { exampleOf } from './example.ts';
import { type Components, content, refer } from './openapi-content.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const LINES_TYPE = 'application/x-ndjson';

/** Returns the request body, if the route has one. */
export function requestBody(route: Route, components: Components): Json {
  const { body, lines } = route;
  if (lines) {
    const description = `JSON lines, at most ${lines.max}. Each line is an object.`;
    const example = `${JSON.stringify(exampleOf(lines.schema))}\n`;
    const schema = { type: 'string', description };
    const lined = { schema, 'x-line-schema': refer(lines.schema, components), example };
    return { requestBody: { required: true, content: { [LINES_TYPE]: lined } } };
  }
  if (body === undefined) return {};
  return { requestBody: { required: true, content: requestContent(route, body, components) } };
}

function requestContent({ form }: Route, body: TSchema, components: Components): Json {
  const inJson = content(body, components, exampleOf(body));
  if (form === undefined) return inJson;
  if (form === 'text') return { ...inJson, 'text/plain': inJson['application/json'] };
  const asForm = { 'application/x-www-form-urlencoded': inJson['application/json'] };
  return form !== 'accepted' ? asForm : { ...inJson, ...asForm };
}
