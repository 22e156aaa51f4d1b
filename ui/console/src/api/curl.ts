import { factsOfRoute, type Input, pathOf, type RouteId } from './routes.ts';

/** The same call for a terminal. The token is a variable of the shell: none is shown. */
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

/** Within single quotes nothing is special but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
