import Type from 'typebox';
import { ISSUER_PATH } from '../issuer-routes.ts';
import { pathId, TenantIdSchema } from '../ids.ts';
import { LocaleText, TextLocale } from '../locale.ts';
import { MessageKindSchema, TemplateSubject, TemplateText } from '../records/message.ts';
import { expiresAt } from '../records/record-fields.ts';
import { ClientBrandingPatch, TenantBrandingPatch } from '../records/branding.ts';
import { MAX_TEXT_CHARACTERS } from '../records/text.ts';
import { secret } from '../records/tokens.ts';
import { PREVIEW_PAGES } from '../preview-pages.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

/**
 * The maximum length of a preview, which leaves room in the URL for the rest of the request (Node.js accepts 16 KiB
 * of headers).
 */
export const MAX_PREVIEW_LENGTH = 12_000;

const DraftText = Type.Object(
  {
    key: Type.String({
      maxLength: 64,
      description: 'Key of the text.',
      examples: ['login.title'],
    }),
    text: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_CHARACTERS,
      description: 'An ICU message, as in `PUT /texts/<locale>/<key>`.',
      examples: ['Sign in'],
    }),
  },
  {
    additionalProperties: false,
    description: 'A text that replaces the tenant’s text in the language of the preview.',
  },
);

const DraftMessage = Type.Object(
  {
    kind: MessageKindSchema,
    locale: Type.Optional(LocaleText),
    subject: Type.Optional(TemplateSubject),
    text: Type.Optional(TemplateText),
  },
  {
    additionalProperties: false,
    description:
      'A message instead of a page, as in `POST /messaging/preview`. Only its HTML part is shown.',
  },
);

/** The page elements shown in a tenant's colors. */
const CONTRAST_PARTS = ['button_text', 'button_edge', 'link', 'focus', 'backdrop'] as const;

const Contrast = Type.Object({
  part: Type.Enum([...CONTRAST_PARTS], {
    description:
      'Element of the page. `button_text`: text on a button. `button_edge`: edge of a button. `link`: a link. `focus`: ring around the focused element. `backdrop`: text on the background behind or next to the form, if there is one.',
  }),
  color_scheme: Type.Enum(['light', 'dark'], {
    description: 'Whether it is for light or dark pages.',
  }),
  color: Type.String({ description: 'Color of the element.', examples: ['#0b6e4f'] }),
  background: Type.String({
    description:
      'Background color of the element. If there are several, the one with the least contrast.',
    examples: ['#f3f1eb'],
  }),
  ratio: Type.Number({
    description: 'Contrast ratio by WCAG 2.2, from 1 to 21.',
    examples: [5.61],
  }),
  required: Type.Number({ description: 'The required contrast ratio.', examples: [4.5] }),
  is_moved: Type.Boolean({
    description: 'Whether the tenant’s color was made darker or lighter to be visible.',
    examples: [false],
  }),
});

export const createPreview = route({
  id: 'branding.preview',
  method: 'POST',
  path: `${API_BASE}/branding/preview`,
  access: { scope: 'read:tenant' },
  summary: 'Preview a page or an email with unsaved branding',
  description:
    'Returns a URL that works for ten minutes and shows the preview to anyone: a page of the tenant, or an email, with fictional people. With `client_id`, the page has that client’s branding and the changes of `client_branding`. The preview runs no scripts, submits no forms and ignores cookies, and can be framed only by pages of the same origin.',
  body: closed({
    page: Type.Optional(
      Type.Enum([...PREVIEW_PAGES], {
        description: 'The page to preview. Default: `login`. Ignored with a message.',
      }),
    ),
    message: Type.Optional(DraftMessage),
    locale: Type.Optional(TextLocale),
    color_scheme: Type.Optional(
      Type.Enum(['light', 'dark'], {
        description: 'Color scheme. Default: the tenant’s setting.',
      }),
    ),
    branding: Type.Optional(TenantBrandingPatch),
    client_id: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'ID of a client. An unknown client gets the branding of the tenant.',
        examples: ['client_01jz3v0q4mf4x8w9y2k7n5r6tb'],
      }),
    ),
    client_branding: Type.Optional(ClientBrandingPatch),
    text: Type.Optional(DraftText),
  }),
  ok: {
    status: 200,
    body: Type.Object(
      {
        url: Type.String({
          description: 'URL of the preview.',
          examples: ['https://id.example.com/t/org_acme/preview?of=AZm9yIGV4YW1wbGUK'],
        }),
        expires_at: expiresAt('When the preview expires.'),
        contrast: Type.Array(Contrast, {
          description: 'The resulting colors, with the contrast of each.',
        }),
      },
      { $id: 'Preview', description: 'A preview of a page with settings that are not saved.' },
    ),
  },
  errors: ['VALIDATION_FAILED', 'TEXT_INVALID', 'TEXT_FIXED', 'TEMPLATE_INVALID'],
});

export const showPreview = route({
  id: 'branding.show_preview',
  method: 'GET',
  path: `${ISSUER_PATH}/preview`,
  access: 'tenant',
  tenant: 'path',
  errorForm: 'page',
  summary: 'Show a preview',
  description: 'For browsers. The URL that `POST /branding/preview` returned.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  query: closed({
    of: secret({
      minLength: 1,
      maxLength: MAX_PREVIEW_LENGTH,
      description: 'The content of the preview, encrypted.',
      examples: ['AZm9yIGV4YW1wbGUsIG5vdCBhIHNlYWxlZCBwcmV2aWV3'],
    }),
  }),
  ok: {
    kind: 'html',
    status: 200,
    policy: { styles: true, images: true, fonts: true, framed: true },
  },
  errors: ['FORM_TOO_OLD'],
});

export const PREVIEW_ROUTES = [createPreview, showPreview] as const;
