import type { DirectedBreaks } from '../breaks.ts';

const EGRESS_FOLDER = 'server/src/platform/egress';

export const EGRESS: readonly DirectedBreaks[] = [
  {
    in: `${EGRESS_FOLDER}/addresses.ts`,
    by: `${EGRESS_FOLDER}/addresses.test.ts`,
    breaks: [
      ["  '10.0.0.0/8', // private (RFC 1918)\n", '', 'lets calls go to 10.0.0.0/8'],
      ["'100.64.0.0/10'", "'100.64.0.0/11'", 'closes half of carrier-grade NAT'],
      ["  '168.63.129.16', // platform services of Azure\n", '', 'lets calls go to Azure itself'],
      ["'169.254.0.0/16'", "'169.254.0.0/17'", 'lets calls go to the metadata of clouds'],
      ["'172.16.0.0/12'", "'172.16.0.0/16'", 'closes a sixteenth of 172.16.0.0/12'],
      [
        "GLOBAL_IPV6 = ranges(['2000::/3'])",
        "GLOBAL_IPV6 = ranges(['::/0'])",
        'takes all of IPv6 for public',
      ],
      ["  '2002::/16', // 6to4 (RFC 3056): holds an IPv4 address\n", '', 'lets calls go by 6to4'],
      ["'2001::/23'", "'2001:4::/32'", 'lets calls go by Teredo'],
      [
        'return isWithin(GLOBAL_IPV6, address) && ',
        'return ',
        'takes what is not an address for a public one',
      ],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/guard.ts`,
    by: `${EGRESS_FOLDER}/guard.test.ts`,
    breaks: [
      [" || url.username !== '' || url.password !== ''", '', 'takes URLs with credentials'],
      ["!isPlain && url.protocol !== 'https:'", "url.protocol === 'file:'", 'takes any scheme'],
      [
        'text.length > MAX_URL_LENGTH ? null : URL.parse(text)',
        'URL.parse(text)',
        'takes URLs of any length',
      ],
      [".replace(/\\.$/, '')", '', 'takes a name with a dot behind it for another one'],
      [
        "if (!isPublicAddress(address)) return 'address_not_allowed';",
        '',
        'connects to any address',
      ],
      [
        "return 'address_not_allowed';\n  if (isPlain) return 'scheme_not_allowed';",
        "return 'address_not_allowed';",
        'speaks http to public addresses',
      ],
      [
        "if (isPlain) return 'scheme_not_allowed';\n  return port === 443 ? undefined : 'port_not_allowed';\n}\n\n",
        "if (isPlain) return 'scheme_not_allowed';\n  return undefined;\n}\n\n",
        'takes names at any port',
      ],
      [
        'isHostAllowed(allow, destination) || isAddressAllowed(allow, address, port)',
        'isHostAllowed(allow, destination) || isAddressAllowed(allow, address, port) || port !== 443',
        'connects to any address at another port',
      ],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/allow.ts`,
    by: `${EGRESS_FOLDER}/guard.test.ts`,
    breaks: [
      [
        'allow.hosts.has(hostname) || allow.hosts.has(`${hostname}:${port}`)',
        "[...allow.hosts].some((host) => host.split(':')[0] === hostname)",
        'opens all ports of a host that was allowed with one',
      ],
      [
        'const atPort = allow.ports.get(port);',
        'const [atPort] = allow.ports.values();',
        'opens all ports of an address that was allowed with one',
      ],
      [
        'allow.ranges.rules.length > 0 || allow.ports.has(port)',
        'allow.ranges.rules.length > 0 || allow.ports.size > 0',
        'takes names at ports at which nothing is allowed',
      ],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/allow.ts`,
    by: 'server/src/platform/config.test.ts',
    breaks: [
      [
        'if (host !== name.toLowerCase()) return undefined;',
        '',
        'takes what is an address in an odd form for a name',
      ],
      ['|| Number(port ?? 1) === 0', '', 'takes 0 for a port'],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/names.ts`,
    by: `${EGRESS_FOLDER}/names.test.ts`,
    breaks: [
      [
        'found.filter((_one, index) => objections[index] === undefined)',
        'objections.includes(undefined) ? found : []',
        'connects to all addresses of a name where one is permitted',
      ],
      [
        'objectionToAddress(this.#allow, destination, address),',
        'address === "" ? objectionToAddress(this.#allow, destination, address) : undefined,',
        'does not look at the addresses of a name',
      ],
      [
        'throw new EgressError(objections[0] ?? ',
        'throw new EgressError(',
        'says of a name that is inside that it has no address',
      ],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/exchange.ts`,
    by: `${EGRESS_FOLDER}/hostile.test.ts`,
    breaks: [
      [
        'REDIRECTS = [301, 302, 303, 307, 308]',
        'REDIRECTS = [301, 302, 303, 307]',
        'hands on a redirect with 308',
      ],
      [
        "this.#timer = setTimeout(() => this.#fail('timed_out'), options.timeoutMs)",
        'this.#timer = setTimeout(() => undefined, options.timeoutMs)',
        'waits for an answer for ever',
      ],
      [
        "if (this.#discardedBytes > MAX_DISCARDED_BYTES) this.#abort('answer_too_large');",
        '',
        'reads on for ever once it has enough',
      ],
      [
        "Number(headers['content-length'] ?? 0) > maxBytes)",
        "Number(headers['content-length'] ?? 0) < 0)",
        'begins to read what says that it is too much',
      ],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/connect.ts`,
    by: `${EGRESS_FOLDER}/hostile.test.ts`,
    breaks: [
      [
        "if (received > maxBytes) socket.destroy(new EgressError('answer_too_large'));",
        '',
        'reads headers without end',
      ],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/connect.ts`,
    by: `${EGRESS_FOLDER}/tls.test.ts`,
    breaks: [
      ['rejectUnauthorized: true,', 'rejectUnauthorized: false,', 'takes any certificate'],
      [
        '        // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.\n        rejectUnauthorized: true,\n',
        '',
        'takes any certificate if the environment says so',
      ],
      [
        "const timer = setTimeout(() => socket.destroy(new EgressError('timed_out')), timeoutMs);",
        'const timer = setTimeout(() => undefined, timeoutMs);',
        'waits for a connection for ever',
      ],
    ],
  },
  {
    in: `${EGRESS_FOLDER}/egress.ts`,
    by: `${EGRESS_FOLDER}/egress.test.ts`,
    breaks: [
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
    ],
  },
];
