import { ERRORS, type ErrorCode } from '@keywright/contract/errors';
import { exampleOf } from '@keywright/contract/example';
import {
  isTenantInRequest,
  loginsText,
  needsAdministrator,
  type Route,
  scopeOf,
} from '@keywright/contract/route';
import type { TSchema } from 'typebox';
import type { Operation } from './groups.ts';
import { LANGUAGES, type Language, samplesOf } from './samples.ts';
import {
  type Field,
  FieldList,
  fieldOf,
  objectIn,
  Prose,
  RecordLink,
  typeText,
} from './schema.tsx';

interface OperationProps extends Operation {
  /** Among the operations of the page. */
  readonly index: number;
  readonly shared: ReadonlySet<string>;
}

/** Everything about one route: its text on the left, its samples on the right. */
export function OperationSection({ route, byIssuer, index, shared }: OperationProps) {
  return (
    <section className="operation" aria-labelledby={route.id}>
      <div className="about">
        <h3 id={route.id}>
          <a href={`#${route.id}`}>{route.summary}</a>
        </h3>
        <Call route={route} />
        {byIssuer && (
          <p className="also" id={byIssuer.id}>
            With the tenant in the path: <code>{byIssuer.path}</code>
          </p>
        )}
        {route.description !== undefined && (
          <p>
            <Prose text={route.description} />
          </p>
        )}
        <Access route={route} />
        <Parameters title="Path parameters" schema={route.params} shared={shared} />
        <Parameters title="Query parameters" schema={route.query} shared={shared} />
        <Parameters title="Body" schema={route.lines?.schema ?? route.body} shared={shared} />
        <Response route={route} shared={shared} />
        <Errors route={route} />
      </div>
      <div className="samples">
        <Samples route={route} index={index} />
        <ResponseExample route={route} />
      </div>
    </section>
  );
}

export function Call({ route: { method, path } }: { readonly route: Route }) {
  return (
    <p className="call">
      <b className={`method ${method.toLowerCase()}`}>{method}</b> <code>{path}</code>
    </p>
  );
}

function Access({ route }: { readonly route: Route }) {
  const headers = [
    ...(isTenantInRequest(route) ? ['X-Tenant-ID'] : []),
    ...(route.idempotent ? ['Idempotency-Key'] : []),
  ];
  return (
    <ul className="facts">
      <li>
        <Prose text={accessText(route)} />
      </li>
      {route.fresh && <li>Users must have signed in recently.</li>}
      {headers.length > 0 && (
        <li>
          Headers:{' '}
          {headers.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <a href={`/reference#${name.toLowerCase()}`}>
                <code>{name}</code>
              </a>
            </span>
          ))}
        </li>
      )}
    </ul>
  );
}

function accessText(route: Route): string {
  const scope = scopeOf(route);
  if (scope !== undefined) {
    const logins = loginsText(route);
    const administrator = needsAdministrator(route) ? ' of an administrator' : '';
    const more = logins === undefined ? '' : `, ${logins}`;
    return `Requires a token${administrator} with the scope \`${scope}\`${more}.`;
  }
  return ACCESS[route.access as keyof typeof ACCESS];
}

const ACCESS = {
  open: 'Does not require a token or a tenant.',
  tenant: 'Does not require a user’s token.',
  caller: 'Requires a token.',
  browser: 'Requires a browser session.',
  user: 'Requires the token of a user.',
  system: 'Requires the token of a system administrator.',
} as const;

function Parameters({
  title,
  schema,
  shared,
}: {
  readonly title: string;
  readonly schema: TSchema | undefined;
  readonly shared: ReadonlySet<string>;
}) {
  if (!schema || Object.keys(fieldOf(schema).properties ?? {}).length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <FieldList schema={fieldOf(schema)} shared={shared} isRequest />
    </>
  );
}

function Response({
  route: { ok, other = [] },
  shared,
}: {
  readonly route: Route;
  readonly shared: ReadonlySet<string>;
}) {
  return (
    <>
      <h4>Response {ok.status}</h4>
      {ok.kind === 'redirect' && (
        <p>
          Redirects the browser to <code>Location</code>.
        </p>
      )}
      {ok.kind === 'html' && <p>A web page.</p>}
      {ok.kind === 'empty' && <p>No body.</p>}
      {ok.body && <Body field={fieldOf(ok.body)} shared={shared} />}
      {ok.alternative && (
        <p>
          Also available as <code>{ok.alternative.contentType}</code>.
        </p>
      )}
      {other.map(({ status, description }) => (
        <p key={`${status}${description}`}>
          <b>{status}</b> <Prose text={description} />
        </p>
      ))}
    </>
  );
}

function Body({ field, shared }: { readonly field: Field; readonly shared: ReadonlySet<string> }) {
  const record = objectIn(field);
  if (record?.$id !== undefined && shared.has(record.$id)) return <RecordLink name={record.$id} />;
  if (!record) {
    return (
      <p>
        <span className="type">{typeText(field)}</span> <Prose text={field.description ?? ''} />
      </p>
    );
  }
  return <FieldList schema={record} shared={shared} isRequest={false} />;
}

function Errors({ route }: { readonly route: Route }) {
  const specific = new Set(route.errors);
  return (
    <>
      <h4>Errors</h4>
      {specific.size > 0 && <ErrorCodes codes={specific} />}
      <p>
        {specific.size > 0 && 'And the '}
        <a href="/reference#errors">errors of every operation</a>.
      </p>
    </>
  );
}

/** Errors by status, with links to the pages that explain them. */
export function ErrorCodes({ codes }: { readonly codes: ReadonlySet<ErrorCode> }) {
  return (
    <ul className="errors">
      {sorted(codes).map((code) => (
        <li key={code}>
          <b>{ERRORS[code].status}</b>{' '}
          <a href={`/docs/errors/${code.toLowerCase()}`}>
            <code>{code}</code>
          </a>{' '}
          <span>{ERRORS[code].detail}</span>
        </li>
      ))}
    </ul>
  );
}

function sorted(codes: ReadonlySet<ErrorCode>): ErrorCode[] {
  return [...codes].toSorted((code, other) => ERRORS[code].status - ERRORS[other].status);
}

/** The sample in each language as tabs: radio buttons, which work without scripts. */
function Samples({ route, index }: { readonly route: Route; readonly index: number }) {
  const samples = Object.entries(samplesOf(route)) as [Language, string][];
  return (
    <div className="sample">
      <fieldset>
        <legend>Language</legend>
        {samples.map(([language]) => (
          <label key={language}>
            <input
              type="radio"
              name={`sample-${index}`}
              value={language}
              defaultChecked={language === 'curl'}
            />
            {LANGUAGES[language]}
          </label>
        ))}
      </fieldset>
      {samples.map(([language, text]) => (
        <pre key={language} className={language} tabIndex={0}>
          <code>{text}</code>
        </pre>
      ))}
    </div>
  );
}

function ResponseExample({ route: { ok } }: { readonly route: Route }) {
  if (!ok.body || ok.kind === 'image' || ok.kind === 'asset') return null;
  const value = exampleOf(ok.body);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div className="sample">
      <p className="caption">Response {ok.status}</p>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
