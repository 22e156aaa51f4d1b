import { expectationOf, type RequestSchema } from '@keywright/contract/expectation';
import { DEFAULTS, ENVIRONMENT_GROUPS } from '../../server/src/platform/environment.ts';
import { code, marked, page, table } from './markdown.ts';

interface Variable extends RequestSchema {
  readonly description?: string;
}

/** The variables of OpenTelemetry: name, values, default, meaning. */
const TELEMETRY = [
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'a URL, such as http://localhost:4318',
    '',
    'Collector that receives traces over OTLP (HTTP, JSON). Enables tracing. Traces are sent to the path `/v1/traces` below it.',
  ],
  [
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'a URL, such as http://localhost:4318/v1/traces',
    '',
    'The same, with the complete URL. Enables tracing.',
  ],
  [
    'OTEL_TRACES_EXPORTER',
    '`otlp` or `none`',
    '',
    '`otlp` enables tracing without an endpoint, to `http://localhost:4318`. `none` disables tracing.',
  ],
  ['OTEL_SDK_DISABLED', '`true` or `false`', 'false', '`true` disables tracing.'],
  [
    'OTEL_EXPORTER_OTLP_HEADERS',
    'names and values, such as api-key=secret,team=id',
    '',
    'Headers of the requests to the collector.',
  ],
  [
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'a number of milliseconds',
    '10000',
    'Timeout of a request to the collector.',
  ],
  [
    'OTEL_EXPORTER_OTLP_COMPRESSION',
    '`gzip` or `none`',
    'none',
    'Compression of requests to the collector.',
  ],
  [
    'OTEL_EXPORTER_OTLP_CERTIFICATE',
    'the path of a PEM file',
    '',
    'Certificate authority that the certificate of the collector is verified with.',
  ],
  [
    'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
    'the path of a PEM file',
    '',
    'Client certificate, for a collector that requires one.',
  ],
  [
    'OTEL_EXPORTER_OTLP_CLIENT_KEY',
    'the path of a PEM file',
    '',
    'Private key of the client certificate.',
  ],
  ['OTEL_SERVICE_NAME', 'text', 'keywright', 'Name of the service in spans.'],
  [
    'OTEL_RESOURCE_ATTRIBUTES',
    'names and values, such as deployment.environment=staging',
    '',
    'Additional attributes of the service in spans.',
  ],
  [
    'OTEL_TRACES_SAMPLER',
    '`always_on`, `always_off` or `traceidratio`, each also with the prefix `parentbased_`',
    'parentbased_always_on',
    'Which requests are traced.',
  ],
  [
    'OTEL_TRACES_SAMPLER_ARG',
    'a number from 0 to 1',
    '1',
    'Share of requests that `traceidratio` traces.',
  ],
] as const;

const HEAD = ['Variable', 'Values', 'Default', 'Meaning'];

/** Returns every environment variable of the service, by subject. */
export function environmentPage(): string {
  const groups = Object.entries(ENVIRONMENT_GROUPS).flatMap(([title, variables]) => [
    `## ${title}`,
    table(
      HEAD,
      Object.entries(variables).map(([name, variable]) => rowOf(name, variable)),
    ),
  ]);
  const telemetry = TELEMETRY.map(([name, values, byDefault, meaning]) => [
    code(name),
    marked(values),
    byDefault === '' ? '' : code(byDefault),
    meaning,
  ]);
  return page('Environment variables', [
    'The service and the [local commands](cli.md) read these variables when they start. An invalid value, or a `KEYWRIGHT_…` variable that does not exist, prevents the start with a message that lists every problem.',
    'Remote commands of the command line read [other variables](cli.md#environment-variables), which the service ignores.',
    ...groups,
    '## Traces',
    'OpenTelemetry’s standard variables configure [traces](../guide/observability.md#traces). The `OTEL_EXPORTER_OTLP_…` variables also exist for traces only, as `OTEL_EXPORTER_OTLP_TRACES_…`.',
    table(HEAD, telemetry),
  ]);
}

function rowOf(name: string, variable: Variable): string[] {
  const { description } = variable;
  if (description === undefined) throw new Error(`${name} has no description.`);
  const byDefault = new Map<string, string>(Object.entries(DEFAULTS)).get(name);
  return [
    code(name),
    marked(expectationOf(variable)),
    byDefault === undefined ? '' : code(byDefault),
    description,
  ];
}
