import type { TSchema } from 'typebox';
import { type Html, html } from '../../../platform/http/pages/html.ts';

/** Text between backticks is code. */
export function prose(text: string): (Html | string)[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

interface Field extends Record<string, unknown> {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Record<string, Field>;
  readonly items?: Field;
  readonly required?: readonly string[];
}

/** What a schema consists of, as a table. */
export function fields(title: string, schema: TSchema | undefined): Html | undefined {
  const rows = schema === undefined ? [] : rowsOf(schema as unknown as Field, '');
  if (rows.length === 0) return undefined;
  return html`<h3>${title}</h3>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>Field</th>
            <th>Type</th>
            <th>Needed</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function rowsOf(schema: Field, prefix: string): Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = html`<tr>
      <td><code>${prefix}${name}</code></td>
      <td>${typeText(field)}</td>
      <td>${schema.required?.includes(name) ? 'required' : ''}</td>
      <td>${prose(field.description ?? '')}</td>
    </tr>`;
    const inner = rowsOf(field, `${prefix}${name}.`);
    const items = field.items ? rowsOf(field.items, `${prefix}${name}[].`) : [];
    return [row].concat(inner, items);
  });
}

function typeText(field: Field): string {
  if (Array.isArray(field['enum'])) return field['enum'].join(' | ');
  if ('const' in field) return JSON.stringify(field['const']);
  const members = field['anyOf'] ?? field['oneOf'];
  if (Array.isArray(members)) return members.map((one) => typeText(one as Field)).join(' | ');
  const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']
    .filter((name) => name in field)
    .map((name) => `${name} ${String(field[name])}`);
  const type = field.items ? `array of ${typeText(field.items)}` : (field.type ?? 'any');
  return bounds.length > 0 ? `${type} (${bounds.join(', ')})` : type;
}
