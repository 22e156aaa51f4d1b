// The request of a route as programs that run when they are pasted. The token is an environment variable, so that no
// program contains one.

import type { Route } from '@keywright/contract/route';
import { OPERATIONS } from '../../../sdk/src/generated/operations.ts';
import { EXAMPLE_ORIGIN } from './example-origin.ts';
import { type SampleBody, type SampleRequest, sampleRequest, TOKEN_VARIABLE } from './request.ts';

export const LANGUAGES = {
  curl: 'curl',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
} as const;
export type Language = keyof typeof LANGUAGES;

/** Returns the sample of a route in each language. */
export function samplesOf(route: Route): Readonly<Record<Language, string>> {
  const request = sampleRequest(route);
  return {
    curl: curl(request),
    js: javaScript(request),
    python: python(request),
    go: go(request),
  };
}

const JSON_LINES = 'application/x-ndjson';
const TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  lines: JSON_LINES,
} as const satisfies Record<SampleBody['kind'], string>;

function isStream({ route }: SampleRequest): boolean {
  return route.ok.kind === 'stream';
}

function isRedirect({ route }: SampleRequest): boolean {
  return route.ok.kind === 'redirect';
}

function linesText(lines: readonly unknown[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

/** Indents the lines after the first. */
function indented(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`);
}

function curl(request: SampleRequest): string {
  const { route, url, tenant, hasToken, body } = request;
  const flags = `${isStream(request) ? '-N ' : ''}${isRedirect(request) ? '-i ' : ''}`;
  const isUsual = route.method === 'GET' || (route.method === 'POST' && body !== undefined);
  const verb = isUsual ? '' : `-X ${route.method} `;
  return [
    `curl ${flags}${verb}${shellQuoted(url)}`,
    ...(tenant === undefined ? [] : [`-H ${shellQuoted(`X-Tenant-ID: ${tenant}`)}`]),
    ...(hasToken ? [`-H "Authorization: Bearer $${TOKEN_VARIABLE}"`] : []),
    ...(body ? curlBody(body) : []),
  ].join(' \\\n  ');
}

function curlBody(body: SampleBody): string[] {
  if (body.kind === 'form') {
    return Object.entries(body.fields).map(
      ([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`,
    );
  }
  const type = `-H 'Content-Type: ${TYPES[body.kind]}'`;
  if (body.kind === 'lines') return [type, `--data-binary ${shellQuoted(linesText(body.lines))}`];
  return [type, `-d ${shellQuoted(JSON.stringify(body.value, null, 2))}`];
}

/** Quotes a word for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The methods of the SDK by their routes. */
const METHODS = new Map(
  Object.entries(OPERATIONS).flatMap(([group, operations]) =>
    Object.entries(operations).map(([name, operation]) => [
      `${operation.method} ${operation.path}`,
      { group, name, operation },
    ]),
  ),
);

function javaScript(request: SampleRequest): string {
  const { route, hasToken } = request;
  const method = METHODS.get(`${route.method} ${route.path}`);
  // The SDK adds the token only to routes whose access requires one.
  if (!method || (method.operation.open && hasToken)) return javaScriptFetch(request);
  const { group, name, operation } = method;
  const options = [
    `baseUrl: '${EXAMPLE_ORIGIN}'`,
    ...(request.tenant === undefined ? [] : [`tenant: '${request.tenant}'`]),
    ...(hasToken ? [`token: process.env.${TOKEN_VARIABLE}`] : []),
  ];
  const call = `client.${group}.${name}(${sdkArguments(request).join(', ')})`;
  const use = operation.list
    ? `for await (const item of ${call}) {\n  console.log(item);\n}`
    : `const result = await ${call};\nconsole.log(result);`;
  return `import { createClient } from '@keywright/sdk';\n\nconst client = createClient({\n${options.map((option) => `  ${option},\n`).join('')}});\n\n${use}`;
}

function sdkArguments({ params, body, query }: SampleRequest): string[] {
  const hasQuery = Object.keys(query).length > 0;
  return [
    ...Object.values(params).map((value) => jsLiteral(value)),
    ...(body ? [jsLiteral(valueOf(body))] : []),
    ...(hasQuery ? [jsLiteral(query)] : []),
  ];
}

function valueOf(body: SampleBody): unknown {
  if (body.kind === 'form') return body.fields;
  return body.kind === 'lines' ? body.lines : body.value;
}

function javaScriptFetch(request: SampleRequest): string {
  const { route, url, tenant, hasToken, body } = request;
  const headers = [
    ...(tenant === undefined ? [] : [`'X-Tenant-ID': '${tenant}'`]),
    ...(hasToken ? [`Authorization: \`Bearer \${process.env.${TOKEN_VARIABLE}}\``] : []),
    ...(body && body.kind !== 'form' ? [`'Content-Type': '${TYPES[body.kind]}'`] : []),
  ].map((header) => `    ${header},\n`);
  const options = [
    ...(route.method === 'GET' ? [] : [`method: '${route.method}'`]),
    ...(headers.length > 0 ? [`headers: {\n${headers.join('')}  }`] : []),
    ...(body ? [`body: ${indented(fetchBody(body), '  ')}`] : []),
    ...(isRedirect(request) ? ["redirect: 'manual'"] : []),
  ].map((option) => `  ${option},\n`);
  const second = options.length > 0 ? `, {\n${options.join('')}}` : '';
  return `const response = await fetch(${jsLiteral(url)}${second});\n${fetchUse(request)}`;
}

function fetchBody(body: SampleBody): string {
  if (body.kind === 'form') return `new URLSearchParams(${jsLiteral(body.fields)})`;
  if (body.kind === 'lines') return jsLiteral(linesText(body.lines));
  return `JSON.stringify(${jsLiteral(body.value)})`;
}

function fetchUse(request: SampleRequest): string {
  const { kind = 'json' } = request.route.ok;
  if (kind === 'redirect') return "console.log(response.status, response.headers.get('location'));";
  if (kind === 'empty') return 'console.log(response.status);';
  if (kind === 'image') return 'console.log(response.status, await response.blob());';
  if (kind === 'stream' || kind === 'lines') {
    return 'for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {\n  console.log(chunk);\n}';
  }
  return `console.log(response.status, await response.${kind === 'json' ? 'json' : 'text'}());`;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function jsLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return jsText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => jsLiteral(item, inner));
    if (items.every((item) => !item.includes('\n')) && items.join(', ').length < 60) {
      return `[${items.join(', ')}]`;
    }
    return `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`;
  }
  const fields = Object.entries(value).map(
    ([name, field]) =>
      `${inner}${IDENTIFIER.test(name) ? name : jsText(name)}: ${jsLiteral(field, inner)},\n`,
  );
  return fields.length > 0 ? `{\n${fields.join('')}${indent}}` : '{}';
}

function jsText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

function python(request: SampleRequest): string {
  const { route, url, tenant, hasToken, body } = request;
  const headers = [
    ...(tenant === undefined ? [] : [`"X-Tenant-ID": "${tenant}"`]),
    ...(hasToken ? [`"Authorization": f"Bearer {os.environ['${TOKEN_VARIABLE}']}"`] : []),
    ...(body?.kind === 'lines' ? [`"Content-Type": "${JSON_LINES}"`] : []),
  ].map((header) => `        ${header},\n`);
  const named = [
    ...(headers.length > 0 ? [`headers={\n${headers.join('')}    }`] : []),
    ...(body ? [pythonBody(body)] : []),
    ...(isRedirect(request) ? ['allow_redirects=False'] : []),
    ...(isStream(request) ? ['stream=True'] : ['timeout=30']),
  ];
  const call = `requests.${route.method.toLowerCase()}(\n    ${pythonLiteral(url)},\n${named.map((argument) => `    ${argument},\n`).join('')})`;
  const imports = hasToken ? 'import os\n\nimport requests' : 'import requests';
  return `${imports}\n\nresponse = ${call}\nresponse.raise_for_status()\n${pythonUse(request)}`;
}

function pythonBody(body: SampleBody): string {
  if (body.kind === 'form') return `data=${pythonLiteral(body.fields, '    ')}`;
  if (body.kind === 'lines') return `data=${pythonLiteral(linesText(body.lines))}.encode()`;
  return `json=${pythonLiteral(body.value, '    ')}`;
}

function pythonUse(request: SampleRequest): string {
  const { kind = 'json' } = request.route.ok;
  if (kind === 'redirect') return 'print(response.status_code, response.headers["Location"])';
  if (kind === 'empty') return 'print(response.status_code)';
  if (kind === 'image') return 'print(len(response.content))';
  if (kind === 'stream') return 'for line in response.iter_lines():\n    print(line.decode())';
  return kind === 'json' ? 'print(response.json())' : 'print(response.text)';
}

const PYTHON_WORDS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

function pythonLiteral(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) {
    return PYTHON_WORDS.get(value) ?? JSON.stringify(value);
  }
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    const items = value.map((item) => pythonLiteral(item, inner));
    if (items.every((item) => !item.includes('\n')) && items.join(', ').length < 60) {
      return `[${items.join(', ')}]`;
    }
    return `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`;
  }
  const fields = Object.entries(value).map(
    ([name, field]) => `${inner}${JSON.stringify(name)}: ${pythonLiteral(field, inner)},\n`,
  );
  return fields.length > 0 ? `{\n${fields.join('')}${indent}}` : '{}';
}

function go(request: SampleRequest): string {
  const { route, url, tenant, hasToken, body } = request;
  const headers = [
    ...(tenant === undefined ? [] : [`"X-Tenant-ID", "${tenant}"`]),
    ...(hasToken ? [`"Authorization", "Bearer "+os.Getenv("${TOKEN_VARIABLE}")`] : []),
    ...(body ? [`"Content-Type", "${TYPES[body.kind]}"`] : []),
  ];
  const lines = [
    ...(body ? [`body := strings.NewReader(${goBody(body)})`] : []),
    `request, err := http.NewRequest("${route.method}", ${JSON.stringify(url)}, ${body ? 'body' : 'nil'})`,
    ...GO_FATAL,
    ...headers.map((header) => `request.Header.Set(${header})`),
    ...(isRedirect(request) ? GO_REDIRECT : ['response, err := http.DefaultClient.Do(request)']),
    ...GO_FATAL,
    'defer response.Body.Close()',
    ...(isRedirect(request)
      ? ['fmt.Println(response.Status, response.Header.Get("Location"))']
      : ['fmt.Println(response.Status)', 'io.Copy(os.Stdout, response.Body)']),
  ];
  return `package main\n\nimport (\n${goImports(request)})\n\nfunc main() {\n${lines.map((line) => `\t${line}\n`).join('')}}`;
}

const GO_FATAL = ['if err != nil {', '\tlog.Fatal(err)', '}'];
/** The default client would follow the redirect. */
const GO_REDIRECT = ['response, err := http.DefaultTransport.RoundTrip(request)'];

function goImports(request: SampleRequest): string {
  const { hasToken, body } = request;
  const isCopied = !isRedirect(request);
  const names = [
    'fmt',
    ...(isCopied ? ['io'] : []),
    'log',
    'net/http',
    ...(isCopied || hasToken ? ['os'] : []),
    ...(body?.kind === 'form' ? ['net/url'] : []),
    ...(body ? ['strings'] : []),
  ];
  return names
    .toSorted()
    .map((name) => `\t"${name}"\n`)
    .join('');
}

function goBody(body: SampleBody): string {
  if (body.kind === 'form') {
    const fields = Object.entries(body.fields).map(
      ([name, value]) => `\t\t${JSON.stringify(name)}: {${JSON.stringify(value)}},\n`,
    );
    return `url.Values{\n${goAligned(fields).join('')}\t}.Encode()`;
  }
  const text = body.kind === 'lines' ? linesText(body.lines) : JSON.stringify(body.value, null, 2);
  return text.includes('`') ? JSON.stringify(text) : `\`${text}\``;
}

/** Aligns the values of a composite literal, as gofmt does. */
function goAligned(fields: readonly string[]): string[] {
  const lengths = fields.map((field) => field.indexOf(': {'));
  const longest = Math.max(...lengths);
  return fields.map((field, index) => {
    const at = lengths[index] ?? 0;
    return `${field.slice(0, at + 1)}${' '.repeat(longest - at + 1)}${field.slice(at + 2)}`;
  });
}
