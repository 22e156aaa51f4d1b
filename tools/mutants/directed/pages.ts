import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const PLATFORM = 'server/src/platform/http/pages';
const UNIT = `${PLATFORM}/pages.test.ts`;
const MATRIX = 'tests/isolation/pages.test.ts';

export const PAGES: readonly DirectedBreaks[] = [
  breaksIn(`${PLATFORM}/cookies.ts`, UNIT, [
    ['${PREFIX[name]}_${tag}', '${PREFIX[name]}_', 'shares cookies among tenants'],
    ['values.length === 1 && only', 'only', 'accepts one of two cookies'],
    [
      'if (value !== undefined && !VALUE.test(value)) throw new Error(`Invalid value for ${name}.`);',
      '',
      'lets a value add attributes',
    ],
    ["'HttpOnly',", '', 'exposes cookies to scripts'],
    [
      "protocol === 'http:' && /^(localhost|.+\\.localhost|127(\\.\\d+){3}|\\[::1\\])$/.test(hostname)",
      "protocol === 'http:'",
      'sends cookies in the clear',
    ],
  ]),
  breaksIn(`${PLATFORM}/form-token.ts`, UNIT, [
    ['return timingSafeEqual(token, tokenOf(cookie));', 'return true;', 'accepts any token'],
    ['const mask = randomBytes(BYTES);', 'const mask = Buffer.alloc(BYTES);', 'repeats the token'],
  ]),
  breaksIn(`${PLATFORM}/same-origin.ts`, UNIT, [
    ["if (site !== undefined) return site === 'same-origin';", '', 'checks only Origin'],
    ["site === 'same-origin'", "site !== 'cross-site'", 'accepts forms of the same site'],
    ['headers.origin === new URL(issuer).origin', 'true', 'accepts forms of any origin'],
  ]),
  breaksIn(`${PLATFORM}/html.ts`, UNIT, [
    ['return escape(String(part));', 'return String(part);', 'does not escape'],
    [
      'part instanceof Html',
      "typeof part === 'object' && 'html' in part",
      'treats records as HTML',
    ],
    ['if (/<\\/|<!--/.test(text))', 'if (false)', 'lets text end its script'],
  ]),
  breaksIn(`${PLATFORM}/headers.ts`, UNIT, [
    ["...own('style')", '', 'omits the hashes of styles'],
    ['policy.scripts ? [', 'true ? [', 'allows scripts everywhere'],
  ]),
  breaksIn(`${PLATFORM}/headers.ts`, MATRIX, [
    ["policy.framed ? 'SAMEORIGIN' : 'DENY'", "'SAMEORIGIN'", 'allows pages to be framed'],
    [
      'sandbox allow-same-origin" : "frame-ancestors \'none\'"',
      'sandbox allow-same-origin" : "frame-ancestors \'self\'"',
      'frames pages in which something can be pressed',
    ],
    ["'referrer-policy': 'no-referrer',", '', 'sends the referrer'],
    ['policy.opener ? {} :', 'true ? {} :', 'leaves windows to their openers'],
    [`"require-trusted-types-for 'script'",`, '', 'lets scripts write HTML'],
  ]),
  breaksIn('server/src/platform/http/replies.ts', UNIT, [
    ["typeof to === 'string' && !OWN_PATH.test(to)", 'false', 'redirects to other hosts'],
  ]),
  breaksIn('server/src/tenancy/pages.ts', MATRIX, [
    ["if (!isOwn) fail('ORIGIN_REFUSED');", '', 'accepts forms from anywhere'],
    ['bound === undefined || !isFormToken(bound, token)', 'false', 'requires no token'],
    ["access === 'browser' ? 'session' : 'flow'", "'flow'", 'accepts forms of an ended session'],
    ['query.append(name, String(one))', "query.append(name, '')", 'loses the fields of a form'],
  ]),
  breaksIn('server/src/tenancy/routes-by-body.ts', MATRIX, [
    [
      "else if (form === 'accepted') acceptForms(context);",
      "else if (form !== 'text') acceptForms(context);",
      'treats JSON as a form',
    ],
  ]),
  breaksIn('contract/src/route.ts', MATRIX, [
    [
      "errorForm === 'page' || access === 'browser'",
      "errorForm === 'page'",
      'lets any page make calls with a session',
    ],
    [
      "form === 'replayed' ? REPLAYED_BODY_BYTES : DEFAULT_BODY_BYTES",
      'DEFAULT_BODY_BYTES',
      'redirects to an invalid address',
    ],
  ]),
  breaksIn('server/src/tenancy/unmatched.ts', 'tests/conformance/browser-app.test.ts', [
    ["|| tenant === 'path'", '', "rejects preflight requests at an issuer's address"],
  ]),
];
