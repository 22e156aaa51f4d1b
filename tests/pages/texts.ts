// What others can write on pages: as it is usually, as long as some have it, and as attackers would.

/** What tenants, clients, providers, users and strangers can write on a page. */
export interface Texts {
  readonly tenant: string;
  readonly client: string;
  readonly provider: string;
  /** What a user types, or a client hints at. */
  readonly typed: string;
  readonly state: string;
  /** Before the @ of an address. */
  readonly local: string;
  /** Behind the path of an address. */
  readonly query: string;
  /** What a browser calls itself. */
  readonly device: string;
  /** What a user calls a factor. */
  readonly factor: string;
  /** What a tenant calls what is allowed in particular. */
  readonly particular: string;
  /** Where the document of an application is. */
  readonly host: string;
}

export const PLAIN: Texts = {
  tenant: 'Acme',
  client: 'Invoices',
  provider: 'Corporate',
  typed: 'ada at example',
  state: 'a-state',
  local: 'ada',
  query: '',
  device: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  factor: 'Phone',
  particular: 'Payment',
  host: 'notes.example.com',
};

/** Longer than most, as some people have them. */
export const LONG: Texts = {
  tenant:
    'Vereinigte Donaudampfschifffahrtsgesellschaften Regensburg und Wien, eingetragene Genossenschaft',
  client: 'Betriebsverwaltungsübersichtsanzeige für Aufsichtsratsmitglieder und deren Vertretungen',
  provider: 'Konzernidentitätsanbieterverbund der Holding in Luxemburg',
  typed: `${'a-very-long-name-without-a-break'.repeat(4)} at example`,
  state: 'x'.repeat(500),
  local: 'wolfeschlegelsteinhausen.hubert.blaine',
  query: `?language=${'x'.repeat(100)}`,
  device: PLAIN.device,
  factor: 'Sicherheitsschlüssel aus der Schublade im Büro',
  particular: 'Zahlungsauslösungsauftrag mit Ausführungsterminüberwachung',
  host: `${'betriebsverwaltungsuebersichtsanzeige.'.repeat(4)}example.com`,
};

/** Each text brings another payload. */
export function hostile(payloads: readonly string[]): Texts {
  const [tenant = '', client = '', provider = '', typed = '', state = ''] = payloads.map((one) =>
    one.slice(0, 64),
  );
  const query = `?${new URLSearchParams({ '"><svg': tenant }).toString()}&'onload='x`;
  // What an address may contain (RFC 5322 §3.2.3).
  const local = "o'x&`=/onload=";
  const others = { device: client, factor: provider, particular: provider, host: PLAIN.host };
  return { tenant, client, provider, typed, state, local, query, ...others };
}
