import type { DirectedBreaks } from '../breaks.ts';

const PLATFORM = 'server/src/platform/http/pages';
const UNIT = `${PLATFORM}/pages.test.ts`;
const MATRIX = 'tests/isolation/pages.test.ts';

export const PAGES: readonly DirectedBreaks[] = [
  {
    in: `${PLATFORM}/cookies.ts`,
    by: UNIT,
    breaks: [
      ['${PREFIX[name]}_${tagOf(tenantId)}', '${PREFIX[name]}_', 'shares cookies among tenants'],
      ['values.length === 1 && only', 'only', 'takes one of two cookies'],
      [
        'if (value !== undefined && !VALUE.test(value)) throw new Error(`Invalid value for ${name}.`);',
        '',
        'lets a value add attributes',
      ],
      ["'HttpOnly',", '', 'shows cookies to scripts'],
      [
        "protocol === 'http:' && /^(localhost|.+\\.localhost|127(\\.\\d+){3}|\\[::1\\])$/.test(hostname)",
        "protocol === 'http:'",
        'sends cookies in the clear',
      ],
    ],
  },
  {
    in: `${PLATFORM}/form-token.ts`,
    by: UNIT,
    breaks: [
      ['return timingSafeEqual(token, tokenOf(cookie));', 'return true;', 'takes any token'],
      [
        'const mask = randomBytes(BYTES);',
        'const mask = Buffer.alloc(BYTES);',
        'repeats the token',
      ],
    ],
  },
  {
    in: `${PLATFORM}/same-origin.ts`,
    by: UNIT,
    breaks: [
      ["if (site !== undefined) return site === 'same-origin';", '', 'goes by Origin alone'],
      ["site === 'same-origin'", "site !== 'cross-site'", 'takes forms of the same site'],
      ['headers.origin === new URL(issuer).origin', 'true', 'takes forms of any origin'],
    ],
  },
  {
    in: `${PLATFORM}/html.ts`,
    by: UNIT,
    breaks: [
      ['return escape(String(part));', 'return String(part);', 'does not escape'],
      [
        'part instanceof Html',
        "typeof part === 'object' && 'html' in part",
        'takes records for HTML',
      ],
      ['if (/<\\/|<!--/.test(text))', 'if (false)', 'lets a text end its script'],
    ],
  },
  {
    in: `${PLATFORM}/headers.ts`,
    by: UNIT,
    breaks: [
      ["...own('style')", '', 'leaves the hashes of styles out'],
      ['policy.scripts ? [', 'true ? [', 'allows scripts everywhere'],
    ],
  },
  {
    in: `${PLATFORM}/headers.ts`,
    by: MATRIX,
    breaks: [
      ["'x-frame-options': 'DENY',", '', 'lets pages be framed'],
      ["'referrer-policy': 'no-referrer',", '', 'tells where somebody comes from'],
      ['policy.opener ? {} :', 'true ? {} :', 'leaves windows to those who opened them'],
      [`"require-trusted-types-for 'script'",`, '', 'lets scripts write HTML'],
    ],
  },
  {
    in: 'server/src/platform/http/replies.ts',
    by: UNIT,
    breaks: [["typeof to === 'string' && !OWN_PATH.test(to)", 'false', 'leads to other hosts']],
  },
  {
    in: 'server/src/tenancy/pages.ts',
    by: MATRIX,
    breaks: [
      ["if (!isOwn) fail('ORIGIN_REFUSED');", '', 'takes forms from anywhere'],
      ['bound === undefined || !isFormToken(bound, token)', 'false', 'asks for no token'],
      ["access === 'browser' ? 'session' : 'flow'", "'flow'", 'keeps forms of an ended session'],
      [
        "if (route.form === 'accepted') acceptForms(context);\n    else acceptFormsAlone(context);",
        'acceptForms(context);',
        'takes JSON for a form',
      ],
      ['query.append(name, String(one))', "query.append(name, '')", 'loses the fields of a form'],
    ],
  },
  {
    in: 'contract/src/route.ts',
    by: MATRIX,
    breaks: [
      [
        "errorForm === 'page' || access === 'browser'",
        "errorForm === 'page'",
        'lets any page call what a session may',
      ],
      [
        "form === 'replayed' ? REPLAYED_BODY_BYTES : DEFAULT_BODY_BYTES",
        'DEFAULT_BODY_BYTES',
        'sends on what no address can hold',
      ],
    ],
  },
  {
    in: 'server/src/tenancy/unmatched.ts',
    by: 'tests/conformance/browser-app.test.ts',
    breaks: [
      ["|| tenant === 'path'", '', 'refuses preflight requests at the address of an issuer'],
    ],
  },
];
