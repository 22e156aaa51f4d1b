import Type from 'typebox';
import { ISSUER_PATH } from '../issuer-routes.ts';
import { pathId, TenantIdSchema } from '../ids.ts';
import { LocaleText, TextLocale } from '../locale.ts';
import { MessageKindSchema, TemplateSubject, TemplateText } from '../records/message.ts';
import { expiresAt } from '../records/record-fields.ts';
import { TenantBrandingPatch } from '../records/tenant.ts';
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
    description: 'A text instead of that of the tenant, in the language of the preview.',
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
      'A mail instead of a page: as in `POST /messaging/preview`, with its HTML part alone.',
  },
);

/** The page elements drawn in a tenant's colors. */
const CONTRAST_PARTS = ['button_text', 'button_edge', 'link', 'focus'] as const;

const Contrast = Type.Object({
  part: Type.Enum([...CONTRAST_PARTS], {
    description:
      '`button_text`: on a button; `button_edge`: around it; `link`; `focus`: the ring around what has the focus.',
  }),
  color_scheme: Type.Enum(['light', 'dark'], { description: 'On light or on dark pages.' }),
  color: Type.String({ description: 'Color of the element.', examples: ['#0b6e4f'] }),
  background: Type.String({
    description:
      'Background color of the element; if there are several, the one with the least contrast.',
    examples: ['#f3f1eb'],
  }),
  ratio: Type.Number({ description: 'Contrast by WCAG 2.2, 1 to 21.', examples: [5.61] }),
  required: Type.Number({ description: 'The required contrast.', examples: [4.5] }),
  is_moved: Type.Boolean({
    description:
      'Whether the color was made darker or lighter than that of the tenant to be visible.',
    examples: [false],
  }),
});

export const createPreview = route({
  id: 'branding.preview',
  method: 'POST',
  path: `${API_BASE}/branding/preview`,
  access: { scope: 'read:tenant' },
  summary: 'Show a page or a mail with a look that is not saved',
  description:
    'Returns an address that works for ten minutes, at which anyone can see the preview: a page of the tenant, or a mail, with made-up people. It runs no scripts and sends no forms, ignores cookies, and only pages of its own origin may frame it.',
  body: closed({
    page: Type.Optional(
      Type.Enum([...PREVIEW_PAGES], {
        description: 'Which page; default `login`. Ignored with a message.',
      }),
    ),
    message: Type.Optional(DraftMessage),
    locale: Type.Optional(TextLocale),
    color_scheme: Type.Optional(
      Type.Enum(['light', 'dark'], {
        description: 'Which colors; default: those of the tenant.',
      }),
    ),
    branding: Type.Optional(TenantBrandingPatch),
    text: Type.Optional(DraftText),
  }),
  ok: {
    status: 200,
    body: Type.Object(
      {
        url: Type.String({
          description: 'The address of the preview.',
          examples: ['https://id.example.com/t/org_acme/preview?of=AZm9yIGV4YW1wbGUK'],
        }),
        expires_at: expiresAt('When the preview expires.'),
        contrast: Type.Array(Contrast, {
          description: 'The resulting colors, and the contrast of each.',
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
  summary: 'A preview',
  description: 'For browsers: the address that `POST /branding/preview` returned.',
  params: Type.Object({ tenant_id: pathId(TenantIdSchema) }),
  query: closed({
    of: secret({
      minLength: 1,
      maxLength: MAX_PREVIEW_LENGTH,
      description: 'The content of the preview, sealed.',
      examples: ['AZm9yIGV4YW1wbGUsIG5vdCBhIHNlYWxlZCBwcmV2aWV3'],
    }),
  }),
  ok: { kind: 'html', status: 200, policy: { styles: true, images: true, framed: true } },
  errors: ['FORM_TOO_OLD'],
});

export const PREVIEW_ROUTES = [createPreview, showPreview] as const;
