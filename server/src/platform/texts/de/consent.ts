import type { CONSENT as English } from '../en/consent.ts';
import type { Translated } from '../keys.ts';

export const CONSENT: Translated<typeof English> = {
  'consent.title': 'Darf {client} Ihr Konto verwenden?',
  'consent.lead': 'Sie sind {identifier} bei {tenant}.',
  'consent.new': 'Die Anwendung kann dann',
  'consent.known': 'Sie kann bereits',
  'consent.particular': 'Im Einzelnen',
  'consent.yes': 'Ja',
  'consent.no': 'Nein',
  'consent.host': 'Sie kehren zu <b>{host}</b> zurück. Sie können dies jederzeit widerrufen.',
  'consent.new_address':
    'Diese Anwendung leitet Sie jetzt an eine neue Adresse weiter: <b>{host}</b>.',
  'consent.about': 'Über {client}',
  'consent.run_by': 'Betrieben von',
  'consent.unverified':
    'Nicht geprüft: Diese Anwendung hat sich selbst registriert. Ihr Name kann falsch sein.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Nicht erlauben',

  'scope.openid': 'Wissen, dass Sie es sind',
  'scope.profile': 'Ihren Namen und Ihr Profil lesen',
  'scope.email': 'Ihre E-Mail-Adresse lesen',
  'scope.phone': 'Ihre Telefonnummer lesen',
  'scope.offline_access': 'Den Zugriff behalten, während Sie nicht da sind',
  'scope.read': 'Lesen: {what}',
  'scope.write': 'Ändern: {what}',
  'scope.delete': 'Löschen: {what}',
  'scope.all': 'Lesen, ändern und löschen: {what}',
  'scope.everything': 'alles, was Sie dürfen',
  'scope.use': 'In Ihrem Namen verwenden',
  'scope.at': '{resource}: {what}',

  'accounts.title': 'Konto wählen',
  'accounts.continue': 'Weiter als {identifier}',

  'confirm.title': 'Weiter zu {client}?',
  'confirm.lead':
    'Ein Programm auf diesem Gerät fragt nach Ihrem Konto und erhält die Antwort unter <b>{host}</b>. Wenn Sie diese App nicht gerade geöffnet haben, brechen Sie ab.',
  'confirm.cancel': 'Abbrechen',

  'logout.title': 'Von {tenant} abmelden?',
  'logout.lead': 'Sie sind als {identifier} angemeldet.',
  'logout.applications':
    'Auch Anwendungen, die Sie mit dieser Anmeldung geöffnet haben, beenden sie.',
  'logout.return': 'Danach kehren Sie zu <b>{host}</b> zurück.',
  'logout.no_return':
    'Sie kehren nicht zur Anwendung zurück: Es ließ sich nicht prüfen, ob sie dies angefordert hat.',
  'logout.submit': 'Abmelden',
  'logout.stay': 'Angemeldet bleiben',
  'logout.done': 'Sie sind abgemeldet',
  'logout.told': 'Diese Anwendungen wissen davon:',
  'logout.waiting': 'Diese haben noch nicht geantwortet:',
  'logout.again': 'Nachsehen, ob sie geantwortet haben',
  'logout.failed': 'Diese haben nicht geantwortet. Melden Sie sich dort selbst ab:',
  'logout.not_told': 'Diese werden nicht benachrichtigt. Melden Sie sich dort selbst ab:',
  'logout.stayed': 'Sie sind weiterhin angemeldet',
  'logout.close': 'Sie können diese Seite schließen.',
};
