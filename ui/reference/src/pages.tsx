import { scopesToReceive } from '@keywright/contract/event-scopes';
import { EVENT_TYPES, EVENTS, type EventType } from '@keywright/contract/events';
import { impliedErrors } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { Fragment } from 'react';
import type { TSchema } from 'typebox';
import { EVENT_TYPES_URL, type Group, type Operation, type Section, sections } from './groups.ts';
import { ErrorCodes, OperationSection } from './operation.tsx';
import { type Field, FieldList, fieldOf, Prose } from './schema.tsx';

/** The start page: what all requests have in common, and every operation. */
export function IndexPage() {
  return (
    <>
      <div className="head">
        <h1>API reference</h1>
        <p>
          Every operation of this service, with samples in curl, JavaScript, Python and Go. The same
          contract in machine-readable form is <a href="/openapi.json">openapi.json</a> (OpenAPI
          3.1). The guides are in the <a href="/docs/">documentation</a>.
        </p>
      </div>
      <Basics />
      {sections().map(({ name, url, groups }) => (
        <Fragment key={url}>
          <h2>
            <a href={url}>{name}</a>
          </h2>
          <div className="groups">
            {groups.map((group) => (
              <GroupCard key={group.tag} url={url} group={group} />
            ))}
          </div>
        </Fragment>
      ))}
      <h2>
        <a href={EVENT_TYPES_URL}>Event types</a>
      </h2>
      <p>The {EVENT_TYPES.length} events that webhooks and streams deliver, with their data.</p>
    </>
  );
}

function Basics() {
  return (
    <dl className="basics">
      <div id="authorization">
        <dt>Authentication</dt>
        <dd>
          Send an access token or an API key as <code>Authorization: Bearer …</code>. The samples
          read it from the environment variable <code>KEYWRIGHT_TOKEN</code>.
        </dd>
      </div>
      <div id="x-tenant-id">
        <dt>Tenant</dt>
        <dd>
          <code>X-Tenant-ID</code> names the tenant. Without this header, the host name identifies
          the tenant.
        </dd>
      </div>
      <div id="idempotency-key">
        <dt>Retries</dt>
        <dd>
          With an <code>Idempotency-Key</code>, you can repeat a <code>POST</code> for 24 hours. A
          repeated request returns the first response, without its secrets.
        </dd>
      </div>
      <div id="errors">
        <dt>Errors</dt>
        <dd>
          An error has the fields <code>error</code>, <code>detail</code>, <code>code</code> and{' '}
          <code>doc</code>, the URL of the page that explains the code. Programs should depend on{' '}
          <code>code</code> only.
          <details>
            <summary>Errors of every operation</summary>
            <ErrorCodes codes={new Set(ROUTES.flatMap(impliedErrors))} />
          </details>
        </dd>
      </div>
    </dl>
  );
}

function GroupCard({
  url,
  group: { tag, name, about, operations },
}: {
  readonly url: string;
  readonly group: Group;
}) {
  return (
    <section className="card" aria-labelledby={tag}>
      <h3 id={tag}>
        <a href={`${url}#${tag}`}>{name}</a>
      </h3>
      <p>{about}</p>
      <OperationLinks url={url} operations={operations} />
    </section>
  );
}

function OperationLinks({
  url = '',
  operations,
}: {
  /** The page of the operations; default: the page with the links. */
  readonly url?: string;
  readonly operations: readonly Operation[];
}) {
  return (
    <ul className="links">
      {operations.map(({ route: { id, method, summary } }) => (
        <li key={id}>
          <b className={`method ${method.toLowerCase()}`}>{method}</b>
          <a href={`${url}#${id}`}>{summary}</a>
        </li>
      ))}
    </ul>
  );
}

/** The page of a section. */
export function SectionPage({ section: { name, groups } }: { readonly section: Section }) {
  const all = groups.flatMap(({ operations }) => operations);
  const records = recordsUsedTwice(all);
  const shared = new Set(records.keys());
  return (
    <>
      <div className="head">
        <h1>{name}</h1>
      </div>
      {groups.map(({ tag, name: title, about, operations }) => (
        <Fragment key={tag}>
          <section className="card" aria-labelledby={tag}>
            <h2 id={tag}>{title}</h2>
            <p>{about}</p>
            <OperationLinks operations={operations} />
          </section>
          {operations.map((operation) => (
            <OperationSection
              key={operation.route.id}
              {...operation}
              index={all.indexOf(operation)}
              shared={shared}
            />
          ))}
        </Fragment>
      ))}
      {shared.size > 0 && <h2 id="records">Records</h2>}
      {[...records].map(([id, record]) => (
        <section key={id} className="record" aria-labelledby={`record-${id}`}>
          <h3 id={`record-${id}`}>{id}</h3>
          {record.description !== undefined && (
            <p>
              <Prose text={record.description} />
            </p>
          )}
          <FieldList schema={record} shared={shared} isRequest={false} />
        </section>
      ))}
    </>
  );
}

/** The named records that occur more than once in the responses of a page, by name. */
function recordsUsedTwice(operations: readonly Operation[]): ReadonlyMap<string, Field> {
  const counts = new Map<string, { readonly record: Field; uses: number }>();
  const visit = (field: Field) => {
    const { $id } = field;
    if ($id !== undefined && field.properties) {
      const entry = counts.get($id) ?? { record: field, uses: 0 };
      counts.set($id, { ...entry, uses: entry.uses + 1 });
      if (entry.uses > 0) return;
    }
    for (const inner of partsOf(field)) visit(inner);
  };
  for (const { route } of operations) {
    for (const schema of schemasOf(route)) visit(fieldOf(schema));
  }
  const repeated = [...counts].filter(([, { uses }]) => uses > 1);
  return new Map(repeated.map(([id, { record }]) => [id, record]));
}

function schemasOf({ body, lines, ok }: Operation['route']): TSchema[] {
  return [body, lines?.schema, ok.body].filter((schema) => schema !== undefined);
}

function partsOf({ properties = {}, items, anyOf = [], oneOf = [] }: Field): Field[] {
  return [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf];
}

/** The events that webhooks and streams deliver. */
export function EventTypesPage() {
  return (
    <>
      <div className="head">
        <h1>Event types</h1>
        <p>
          The events that webhooks and streams deliver, with the fields of their <code>data</code>.
        </p>
        <ul className="links">
          {EVENT_TYPES.map((type) => (
            <li key={type}>
              <a href={`#event-${type}`}>{type}</a>
            </li>
          ))}
        </ul>
      </div>
      {EVENT_TYPES.map((type) => (
        <EventSection key={type} type={type} />
      ))}
    </>
  );
}

function EventSection({ type }: { readonly type: EventType }) {
  const { meaning, isSpecified, data } = EVENTS[type];
  return (
    <section className="record" id={`event-${type}`} aria-labelledby={`event-${type}-title`}>
      <h2 id={`event-${type}-title`}>
        <code>{type}</code>
      </h2>
      <p>
        <Prose text={meaning} />
      </p>
      <ul className="facts">
        <li>
          A webhook needs{' '}
          {scopesToReceive(type).map((scope, index) => (
            <Fragment key={scope}>
              {index > 0 && ' and '}
              <code>{scope}</code>
            </Fragment>
          ))}{' '}
          to receive this event{isSpecified ? '' : ', and must name it'}.
        </li>
      </ul>
      <FieldList schema={fieldOf(data)} shared={new Set()} isRequest={false} />
    </section>
  );
}
