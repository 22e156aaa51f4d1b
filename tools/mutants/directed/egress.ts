import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const EGRESS_FOLDER = 'server/src/platform/egress';

export const EGRESS: readonly DirectedBreaks[] = [
  breaksIn(`${EGRESS_FOLDER}/addresses.ts`, `${EGRESS_FOLDER}/addresses.test.ts`, [
    ["  '10.0.0.0/8', // private (RFC 1918)\n", '', 'allows calls to 10.0.0.0/8'],
    ["'100.64.0.0/10'", "'100.64.0.0/11'", 'blocks only half of carrier-grade NAT'],
    ["  '168.63.129.16', // platform services of Azure\n", '', "allows calls to Azure's platform"],
    ["'169.254.0.0/16'", "'169.254.0.0/17'", 'allows calls to cloud metadata'],
    ["'172.16.0.0/12'", "'172.16.0.0/16'", 'blocks only a sixteenth of 172.16.0.0/12'],
    [
      "GLOBAL_IPV6 = rangesOf(['2000::/3'])",
      "GLOBAL_IPV6 = rangesOf(['::/0'])",
      'treats all of IPv6 as public',
    ],
    ["  '2002::/16', // 6to4 (RFC 3056): holds an IPv4 address\n", '', 'allows calls through 6to4'],
    ["'2001::/23'", "'2001:4::/32'", 'allows calls through Teredo'],
    [
      'return isWithin(GLOBAL_IPV6(), address) && ',
      'return ',
      'treats an invalid address as public',
    ],
  ]),
  breaksIn(`${EGRESS_FOLDER}/guard.ts`, `${EGRESS_FOLDER}/guard.test.ts`, [
    [" || url.username !== '' || url.password !== ''", '', 'accepts URLs with credentials'],
    ["!isPlain && url.protocol !== 'https:'", "url.protocol === 'file:'", 'accepts any scheme'],
    [
      'text.length > MAX_URL_LENGTH ? null : URL.parse(text)',
      'URL.parse(text)',
      'accepts URLs of any length',
    ],
    [
      "const host = url.hostname.replace(/\\.$/, '');",
      'const host = url.hostname;',
      'treats a name with a trailing dot as another one',
    ],
    [
      "isPublicAddress(address) ? objectionToPort(destination) : 'address_not_allowed'",
      'objectionToPort(destination)',
      'connects to any address',
    ],
    [
      "  if (isPlain) return 'scheme_not_allowed';\n  return port",
      '  return port',
      'allows plain HTTP to public addresses',
    ],
    [
      "return port === 443 ? undefined : 'port_not_allowed';",
      'return undefined;',
      'allows names at any port',
    ],
    [
      'isHostAllowed(allow, destination) || isAddressAllowed(allow, address, port)',
      'isHostAllowed(allow, destination) || isAddressAllowed(allow, address, port) || port !== 443',
      'connects to any address at another port',
    ],
  ]),
  breaksIn(`${EGRESS_FOLDER}/allow.ts`, `${EGRESS_FOLDER}/guard.test.ts`, [
    [
      'allow.hosts.has(hostname) || allow.hosts.has(`${hostname}:${port}`)',
      "[...allow.hosts].some((host) => host.split(':')[0] === hostname)",
      'allows all ports of a host allowed with one',
    ],
    [
      'const atPort = allow.ports.get(port);',
      'const [atPort] = allow.ports.values();',
      'allows all ports of an address allowed with one',
    ],
    [
      'allow.ranges.rules.length > 0 || allow.ports.has(port)',
      'allow.ranges.rules.length > 0 || allow.ports.size > 0',
      'allows names at ports without allowed addresses',
    ],
  ]),
  breaksIn(`${EGRESS_FOLDER}/allow.ts`, 'server/src/platform/config.test.ts', [
    [
      'if (host !== name.toLowerCase()) return undefined;',
      '',
      'treats an unusual form of an address as a name',
    ],
    ['|| Number(port ?? 1) === 0', '', 'accepts port 0'],
  ]),
  breaksIn(`${EGRESS_FOLDER}/names.ts`, `${EGRESS_FOLDER}/names.test.ts`, [
    [
      'found.filter((_one, index) => objections[index] === undefined)',
      'objections.includes(undefined) ? found : []',
      'connects to all addresses of a name if one is permitted',
    ],
    [
      'objectionToAddress(this.#allow, destination, address),',
      'address === "" ? objectionToAddress(this.#allow, destination, address) : undefined,',
      'ignores the addresses of a name',
    ],
    [
      'throw new EgressError(objections[0] ?? ',
      'throw new EgressError(',
      'reports an internal name as unresolved',
    ],
  ]),
  breaksIn(`${EGRESS_FOLDER}/exchange.ts`, `${EGRESS_FOLDER}/hostile.test.ts`, [
    [
      'REDIRECTS = [301, 302, 303, 307, 308]',
      'REDIRECTS = [301, 302, 303, 307]',
      'passes on a redirect with 308',
    ],
    [
      "this.#timer = setTimeout(() => this.#fail('timed_out'), options.timeoutMs)",
      'this.#timer = setTimeout(() => undefined, options.timeoutMs)',
      'waits for a response forever',
    ],
    [
      "if (this.#discardedBytes > MAX_DISCARDED_BYTES) this.#abort('answer_too_large');",
      '',
      'reads forever after it has enough',
    ],
    [
      "Number(headers['content-length'] ?? 0) > maxBytes)",
      "Number(headers['content-length'] ?? 0) < 0)",
      'starts to read a response declared too large',
    ],
  ]),
  breaksIn(`${EGRESS_FOLDER}/connect.ts`, `${EGRESS_FOLDER}/hostile.test.ts`, [
    [
      "if (received > maxBytes) socket.destroy(new EgressError('answer_too_large'));",
      '',
      'reads headers of any size',
    ],
  ]),
  breaksIn(`${EGRESS_FOLDER}/connect.ts`, `${EGRESS_FOLDER}/tls.test.ts`, [
    ['rejectUnauthorized: true,', 'rejectUnauthorized: false,', 'accepts any certificate'],
    [
      '        // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.\n        rejectUnauthorized: true,\n',
      '',
      'accepts any certificate if the environment says so',
    ],
    [
      "const timer = setTimeout(() => socket.destroy(new EgressError('timed_out')), timeoutMs);",
      'const timer = setTimeout(() => undefined, timeoutMs);',
      'waits for a connection forever',
    ],
  ]),
  breaksIn(`${EGRESS_FOLDER}/egress.ts`, `${EGRESS_FOLDER}/egress.test.ts`, [
    [
      'if (OWN_HEADERS.includes(name.toLowerCase())) return undefined;',
      '',
      'lets a caller set Host',
    ],
    [
      'OWN_HEADERS.includes(name.toLowerCase())',
      'OWN_HEADERS.includes(name)',
      'lets a caller set HOST',
    ],
  ]),
];
