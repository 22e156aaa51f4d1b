import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { TenantIdSchema } from '../ids.ts';
import { MESSAGE_CHANNELS } from '../messages.ts';
import { PublicProvider } from '../records/identity-provider.ts';
import { TenantConfig } from '../records/tenant.ts';
import { API_BASE, route } from '../route.ts';
import { NOT_MODIFIED } from './fields.ts';

const LoginMethods = Type.Object(
  {
    tenant_id: TenantIdSchema,
    methods: Type.Array(TenantConfig.properties.allowed_login_methods.items, {
      description: 'Methods that logins of this tenant can use.',
    }),
    channels: Type.Array(Type.Enum([...MESSAGE_CHANNELS]), {
      description: 'How codes are sent with the method `magic_link`.',
    }),
    providers: Type.Array(PublicProvider, {
      description: 'Identity providers for the method `oauth`.',
    }),
    registration: Type.Boolean({
      description: 'Whether a login with `register` creates a user.',
    }),
    password: Type.Object(
      {
        min_length: Type.Integer({
          description: 'Minimum length of a new password, in characters.',
          examples: [12],
        }),
        require_special: Type.Boolean({
          description:
            'Whether a new password must contain a character that is not a letter or a digit.',
        }),
      },
      { description: 'The rules for new passwords.' },
    ),
  },
  {
    $id: 'LoginMethods',
    description: 'How users of the tenant can sign in.',
    examples: [
      {
        tenant_id: exampleOf(TenantIdSchema),
        methods: ['password'],
        channels: [],
        providers: [],
        registration: true,
        password: { min_length: 12, require_special: false },
      },
    ],
  },
);

export const getLoginMethods = route({
  id: 'auth.methods',
  method: 'GET',
  path: `${API_BASE}/auth/methods`,
  access: 'tenant',
  summary: 'List the login methods of the tenant',
  description: 'For login pages. The response reveals nothing about any user.',
  ok: { status: 200, body: LoginMethods },
  other: [NOT_MODIFIED],
  errors: [],
});
