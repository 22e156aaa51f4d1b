// Texts that others can write on pages: typical ones, very long ones, and those of attackers.

/** Texts that tenants, clients, providers, users and strangers can write on a page. */
export interface Texts {
  readonly tenant: string;
  readonly client: string;
  readonly provider: string;
  /** Typed by a user, or sent as a hint by a client. */
  readonly typed: string;
  readonly state: string;
  /** The part of an address before the @. */
  readonly local: string;
  /** The part of a URL after its path. */
  readonly query: string;
  /** A browser's user agent. */
  readonly device: string;
  /** The name of a user's factor. */
  readonly factor: string;
  /** A tenant's name for a type of authorization details. */
  readonly detailsType: string;
  /** The host of an application's document. */
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
  detailsType: 'Payment',
  host: 'notes.example.com',
};

/** Unusually long texts that occur in practice. */
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
  detailsType: 'Zahlungsauslösungsauftrag mit Ausführungsterminüberwachung',
  host: `${'betriebsverwaltungsuebersichtsanzeige.'.repeat(4)}example.com`,
};

/** Each text brings another payload. */
export function hostile(payloads: readonly string[]): Texts {
  const [tenant = '', client = '', provider = '', typed = '', state = ''] = payloads.map(
    (payload) => payload.slice(0, 64),
  );
  const query = `?${new URLSearchParams({ '"><svg': tenant }).toString()}&'onload='x`;
  // Characters that an address can contain (RFC 5322 §3.2.3).
  const local = "o'x&`=/onload=";
  const others = { device: client, factor: provider, detailsType: provider, host: PLAIN.host };
  return { tenant, client, provider, typed, state, local, query, ...others };
}
