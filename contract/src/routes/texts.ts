import Type from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { TextLocale } from '../locale.ts';
import { TextInput, TextRecord } from '../records/text.ts';
import { API_BASE, route } from '../route.ts';

const LOCALE = `${API_BASE}/texts/:locale` as const;
const TEXT = `${LOCALE}/:key` as const;

const locale = Type.String({ description: 'The language.', examples: ['en'] });
const textPath = Type.Object({
  locale,
  key: Type.String({ description: 'Key of the text.', examples: ['login.title'] }),
});

export const listTexts = route({
  id: 'branding.list_texts',
  method: 'GET',
  path: LOCALE,
  access: { scope: 'read:tenant' },
  summary: 'List the texts of a language',
  description:
    'Returns the texts of pages, emails and text messages, with the tenant’s texts that replace them.',
  params: Type.Object({ locale }),
  ok: {
    status: 200,
    body: Type.Object(
      {
        tenant_id: TenantIdSchema,
        locale: TextLocale,
        texts: Type.Array(TextRecord, { description: 'All texts, in the order of the catalog.' }),
      },
      { $id: 'Texts', description: 'All texts of one language.' },
    ),
  },
  errors: ['NOT_FOUND'],
});

export const getText = route({
  id: 'branding.get_text',
  method: 'GET',
  path: TEXT,
  access: { scope: 'read:tenant' },
  summary: 'Get a text',
  description: 'Returns the tenant’s text and the default text that ships with the service.',
  params: textPath,
  ok: { status: 200, body: TextRecord },
  errors: ['NOT_FOUND'],
});

export const putText = route({
  id: 'branding.put_text',
  method: 'PUT',
  path: TEXT,
  access: {
    scope: 'write:tenant',
    logins: { for: 'a text that contains a URL, a host name or an email address', instead: true },
  },
  summary: 'Set a text',
  description:
    'An ICU message on a single line. It can contain only the placeholders and tags of the default text, and no links. It is escaped wherever it is shown.',
  params: textPath,
  body: TextInput,
  ok: { status: 200, body: TextRecord },
  errors: ['NOT_FOUND', 'TEXT_INVALID', 'TEXT_FIXED', 'TOO_MANY_TEXTS', 'SCOPE_NOT_HELD'],
});

export const deleteText = route({
  id: 'branding.delete_text',
  method: 'DELETE',
  path: TEXT,
  access: { scope: 'write:tenant' },
  summary: 'Reset a text to its default',
  description: 'Deletes the tenant’s text, if there is one.',
  params: textPath,
  ok: {
    status: 200,
    body: Type.Object({
      locale: TextLocale,
      key: Type.String({ description: 'Key of the text.', examples: ['login.title'] }),
      deleted: Type.Literal(true, { description: 'The tenant’s text no longer exists.' }),
    }),
  },
  errors: ['NOT_FOUND'],
});

export const TEXT_ROUTES = [listTexts, getText, putText, deleteText];
