import type { connections as english } from '../en/connections.ts';
import type { Translation } from '../format.ts';

export const connections: Translation<typeof english> = {
  // Identity providers
  providers: 'Identitätsanbieter',
  providersHint: 'Wo sich Benutzer mit einem Konto anmelden, das sie anderswo haben.',
  providersEmpty: 'Noch keiner: Benutzer melden sich mit Konten dieses Mandanten an.',
  providerCreate: 'Anbieter hinzufügen',
  providerCreateOf: '{name} hinzufügen',
  providerKindHint: 'Wählen Sie den Anbieter; was er braucht, kommt danach.',
  'provider.google': 'Google',
  'provider.microsoft': 'Microsoft',
  'provider.apple': 'Apple',
  'provider.github': 'GitHub',
  'provider.oidc': 'OpenID Connect',
  'provider.oauth2': 'OAuth 2.0',
  'guide.google': 'Erstellen Sie einen OAuth-Client vom Typ „Webanwendung“:',
  'guide.microsoft':
    'Registrieren Sie eine Anwendung, und erstellen Sie unter „Zertifikate & Geheimnisse“ ein Clientgeheimnis:',
  'guide.apple':
    'Erstellen Sie eine Services ID, die die Client-ID ist, und einen Schlüssel für „Mit Apple anmelden“, dessen Datei das Geheimnis ist:',
  'guide.github': 'Erstellen Sie eine OAuth-App:',
  'guide.oidc':
    'Registrieren Sie bei Ihrem Anbieter einen vertraulichen Client mit Autorisierungscode. Der Aussteller steht in seinem Discovery-Dokument.',
  'guide.oauth2':
    'Registrieren Sie bei Ihrem Anbieter einen Client, und schlagen Sie seine drei Endpunkte und das Feld des Profils nach, das sich nie ändert.',
  guideFields: 'Geben Sie hier ein, was Sie dort bekommen.',
  guideCallback:
    'Registrieren Sie danach beim Anbieter die Rücksprungadresse, die als Nächstes gezeigt wird.',
  guideTest: 'Der Anbieter ist zunächst aus: Testen Sie ihn, dann schalten Sie ihn ein.',
  callbackUrl: 'Rücksprungadresse',
  clientId: 'Client-ID',
  clientSecret: 'Client-Geheimnis',
  secretStored: 'gespeichert, wird nie gezeigt',
  providerLink: 'Eine unbekannte Identität mit der Adresse eines Benutzers',
  'link.ask': 'wird verknüpft, sobald der Benutzer das Konto nachgewiesen hat',
  'link.auto': 'wird bei vertrauten Domains sofort verknüpft',
  'link.never': 'wird abgelehnt',
  providerTrusted: 'Vertraut für Adressen von',
  providerMfa: 'Sein zweiter Faktor zählt',
  providerEnableHint: 'Die Seiten des Mandanten zeigen sofort einen Knopf dafür.',
  providerTested: 'Letzter bestandener Test',
  providerUntested: 'Mit diesen Einstellungen nicht getestet',
  providerEnableUntested: 'Ohne Test einschalten',
  providerEnableUntestedTitle: '{name} ohne Test einschalten?',
  providerEnableUntestedHint:
    'Mit diesen Einstellungen wurde kein Test bestanden. Ist eine davon falsch, kann sich hier niemand anmelden. Im Audit-Protokoll steht, dass nicht getestet wurde.',
  providerDisableHint: 'Niemand meldet sich mehr damit an. Sitzungen und Identitäten bleiben.',
  providerIdentities: 'Benutzer mit einer Identität dort',
  providerStranded: 'Davon ohne anderen Weg zur Anmeldung',
  notCounted: 'nicht gezählt: mehr als 10.000 Benutzer',
  providerDeleteHint:
    'Sein Geheimnis und die Identitäten der Benutzer dort werden mit gelöscht. Sitzungen gehen weiter. Das lässt sich nicht rückgängig machen.',
  providerTest: 'Anmeldung testen',
  providerTestOf: 'Anmeldung bei {name} testen',
  providerTestHint:
    'Sie melden sich dort an, und hier steht, was der Anbieter sagt. Niemand wird hier angemeldet, nichts wird verknüpft.',
  providerDeclined: 'Die Anmeldung wurde beim Anbieter abgelehnt.',
  providerRefused: 'Der Anbieter ließ die Anmeldung nicht zu. Das Audit-Protokoll sagt, warum.',
  testResult: 'Ergebnis',
  testAccepted: 'Geglaubt',
  testRejected: 'Nicht geglaubt',
  testOutdated:
    'Die Einstellungen wurden während dieses Tests geändert, deshalb zählt er nicht. Testen Sie noch einmal.',
  testSubject: 'Wer Sie dort sind',
  testVerified: 'Adresse bestätigt',
  testAuthoritative: 'Für diese Adresse vertraut',
  testMfa: 'Zwei Faktoren geprüft',
  testClaims: 'Angaben (Claims)',
  providerDomains: 'Domains, die sich nur hier anmelden',
  providerDomainsHint:
    'Ist eine Domain per DNS nachgewiesen, melden sich Benutzer mit einer Adresse darin bei diesem Anbieter an und auf keine andere Weise.',
  providerDomainsEmpty: 'Keine: Benutzer können sich auch anders anmelden.',
  domain: 'Domain',
  dnsRecord: 'TXT-Eintrag',
  domainAdd: 'Domain hinzufügen',
  domainAdded: '{name} hinzugefügt. Veröffentlichen Sie nun den TXT-Eintrag.',
  domainVerify: 'Prüfen',
  domainVerifyTitle: 'TXT-Eintrag von {name} suchen?',
  domainVerifyHint:
    'Wird er gefunden, melden sich Benutzer der Domain nur noch bei diesem Anbieter an.',
  domainVerified: 'Nachgewiesen: Benutzer von {name} melden sich nun hier an.',
  domainRemove: 'Entfernen',
  domainRemoveTitle: '{name} entfernen?',
  domainRemoveHint: 'Seine Benutzer können sich ab der nächsten Anfrage wieder anders anmelden.',
  domainRemoved: '{name} entfernt.',

  // Webhooks
  signature: 'Unterschrift',
  checker: 'Unterschrift prüfen',
  checkerHint:
    'Fügen Sie ein, was Ihr Empfänger bekam. Es wird in diesem Browser berechnet: Nichts davon wird gesendet.',
  checkerSecret: 'Geheimnis',
  checkerHeaders: 'Header, je einer pro Zeile',
  checkerBody: 'Inhalt, Byte für Byte',
  check: 'Prüfen',
  checkerRight: 'Richtig',
  checkerWrong: 'Falsch',
  checkerMissing: 'Nicht angegeben',
  checkerAge: '{seconds} Sekunden alt',
  webhookOverlap: 'Das bisherige Geheimnis bleibt gültig',
  webhookOverlapNone: 'Gar nicht: es ist bekannt geworden',
  webhookOverlapHours: { one: '{count} Stunde', other: '{count} Stunden' },
  retryFailed: 'Fehlgeschlagene erneut senden',
  retryFailedTitle: 'Fehlgeschlagenes erneut senden?',
  retryFailedMost: 'Jetzt die neuesten 100; wiederholen Sie es für den Rest.',
  replayCount: { one: '{count} Ereignis.', other: '{count} Ereignisse.' },
  replayCountMore: 'Es gibt mehr, die danach gesendet werden können.',

  // Signing keys
  signedFrom: 'Unterschreibt seit',
  keyTokens: 'Von ihm unterschriebene Token sind gültig',
  keyTokensUntil: 'Von ihm unterschriebene Token sind gültig bis längstens',
  keyNoTokens: 'Kein von ihm unterschriebenes Token ist gültig',

  // Resources
  resources: 'Ressourcen',
  resourcesHint: 'Dienste, die für sie ausgestellte Zugriffstoken annehmen.',
  resourcesEmpty: 'Noch keine: Token gelten für die API dieses Mandanten.',
  resourceCreate: 'Ressource registrieren',
  resourceUri: 'URI',
  resourceDeleteHint:
    'Es werden keine weiteren Token dafür ausgestellt. Ausgestellte gelten bis zu ihrem Ablauf, außer der Dienst fragt nach.',

  // Registration tokens
  registrationTokens: 'Registrierungstoken',
  registrationTokensHint:
    'Wer eines hat, kann selbst Anwendungen registrieren, so oft und so, wie es sagt.',
  registrationTokensEmpty: 'Noch keine.',
  registrationTokenCreate: 'Registrierungstoken erstellen',
  registrationTokenRevokeHint: 'Damit wird nichts mehr registriert. Registriertes bleibt.',
  tokenUses: 'Verbleibende Registrierungen',

  // Shared signals
  logouts: 'Abmeldungen',
  logoutsEmpty:
    'Der Client wurde über keine Abmeldung benachrichtigt. Das geschieht, sobald er eine Back-Channel-Logout-URI hat und eine seiner Sitzungen endet.',
  endOfSession: 'Sitzung beendet',
  streams: 'Signale',
  streamsEmpty: 'Der Client empfängt keine Signale: Er hat keinen Strom angelegt.',
  streamTo: 'Empfänger',
  streamPolled: 'Vom Empfänger abgeholt',
  'stream.enabled': 'Eingeschaltet',
  'stream.paused': 'Angehalten',
  'stream.disabled': 'Ausgeschaltet',
  streamPause: 'Anhalten',
  streamPauseTitle: 'Diesen Strom anhalten?',
  streamPauseHint:
    'Signale warten, bis er wieder eingeschaltet wird. Sein Empfänger erfährt es und kann das tun.',
  streamPausedDone: 'Strom angehalten.',
  streamEnableTitle: 'Diesen Strom einschalten?',
  streamEnableHint: 'Was darin wartet, wird jetzt zugestellt.',
  streamEnabledDone: 'Strom eingeschaltet.',
  streamDeleteTitle: 'Diesen Strom löschen?',
  streamDeleteHint:
    'Was darin wartet, wird mit gelöscht. Der Empfänger kann einen anderen anlegen.',
  streamDeleted: 'Strom gelöscht.',

  // Fields and values of the API
  'name.client_id': 'Client-ID',
  'name.client_secret': 'Client-Geheimnis',
  'name.link': 'Verknüpfung',
  'name.ask': 'Nachfragen',
  'name.never': 'Nie',
  'name.skip_test': 'Ohne Test speichern',
  'name.trust_mfa': 'Zweiter Faktor zählt',
  'name.allowed_tenants': 'Erlaubte Verzeichnisse',
  'name.team_id': 'Team-ID',
  'name.key_id': 'Schlüssel-ID',
  'name.uses': 'Verwendungen',
};
