import { factsOfRoute, type Input, pathOf, type RouteId } from './routes.ts';

/** Returns the same call as a shell command. The token is a shell variable, so none is shown. */
export function curlOf(origin: string, tenant: string, id: RouteId, input: Input): string {
  const { method } = factsOfRoute(id);
  const hasBody = input.body !== undefined;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}/api/sso/v1${pathOf(id, input)}`)}`,
    `-H "authorization: Bearer $TOKEN"`,
    `-H ${quoted(`x-tenant-id: ${tenant}`)}`,
    ...(input.file === undefined
      ? []
      : [`-H 'content-type: application/x-ndjson'`, `--data-binary ${quoted(`@${input.file}`)}`]),
    ...(hasBody
      ? [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(input.body))}`]
      : []),
  ].join(' \\\n  ');
}

/** Within single quotes, only the closing quote is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
