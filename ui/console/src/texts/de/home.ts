import type { home as english } from '../en/home.ts';
import type { Translation } from '../format.ts';

export const home: Translation<typeof english> = {
  // Overview
  attention: 'Braucht Aufmerksamkeit',
  'attention.keyEnds': {
    one: '{count} Schlüssel signiert nicht mehr: binnen eines Tages laufen seine letzten Tokens ab, und wer sie prüft, braucht den neuen',
    other:
      '{count} Schlüssel signieren nicht mehr: binnen eines Tages laufen ihre letzten Tokens ab, und wer sie prüft, braucht die neuen',
  },
  'attention.keyOld': {
    one: '{count} Schlüssel signiert seit 11 Monaten oder länger: Rotieren Sie ihn',
    other: '{count} Schlüssel signieren seit 11 Monaten oder länger: Rotieren Sie sie',
  },
  'attention.hookDisabled': {
    one: '{count} Webhook wurde abgeschaltet, weil seine Zustellungen scheiterten',
    other: '{count} Webhooks wurden abgeschaltet, weil ihre Zustellungen scheiterten',
  },
  'attention.hookFails': {
    one: 'Zustellungen von {count} Webhook scheitern',
    other: 'Zustellungen von {count} Webhooks scheitern',
  },
  'attention.administrator': {
    one: '{count} Administrator hat sich nie angemeldet',
    other: '{count} Administratoren haben sich nie angemeldet',
  },
  'attention.message': {
    one: '{count} Nachricht der letzten 30 Tage konnte nicht gesendet werden',
    other: '{count} Nachrichten der letzten 30 Tage konnten nicht gesendet werden',
  },

  // Filters of users
  hasLoggedIn: 'Anmeldungen',
  onceLoggedIn: 'Hat sich angemeldet',
  neverLoggedIn: 'Nie angemeldet',
  lastLoginBefore: 'Letzte Anmeldung vor',

  // Defaults of settings
  notDefault: 'Geändert',
  toDefault: 'Zurück zum Standard',
  toDefaultUnsaved: 'Der Standard gilt, sobald gespeichert wird.',

  // Mail
  mail: 'Mail',
  mailServer: 'Mailserver',
  mailOwn: 'Mails gehen über diesen Server.',
  mailNone:
    'Kein eigener Mailserver: Dazu gehören mindestens ein Server und ein Absender. Bis dahin gehen Mails über den Server des Betreibers, falls es einen gibt.',
  mailPasswordKept:
    'Ein Passwort ist gespeichert. Es bleibt, solange sein Feld leer ist. Ein anderer Server oder Benutzername braucht es erneut.',
  mailTakeBack: 'Mailserver entfernen',
  mailTakeBackTitle: 'Den Mailserver entfernen?',
  mailTakeBackHint:
    'Adresse, Benutzername und Passwort werden gelöscht. Mails gehen dann über den Server des Betreibers. Ohne ihn wird keine Mail gesendet, und niemand kann sich per Mail anmelden.',
  mailTakenBack: 'Mailserver entfernt.',
  mailAccepted: 'Der Server hat sie angenommen.',
  'security.tls': 'TLS von Anfang an',
  'security.starttls': 'STARTTLS, zwingend',
  'security.none': 'Keine',

  // Domains
  tenantDomain: 'Hostname',
  tenantDomainHint:
    'Eine Domain gehört nur einem Mandanten. Richten Sie danach DNS auf diesen Dienst, wie oben gezeigt.',
  tenantDomainAdded: '{name} hinzugefügt. Richten Sie jetzt DNS auf diesen Dienst.',
  tenantDomainRemoveHint:
    'Anfragen an diesen Host gehören nicht mehr zum Mandanten. Wer sich dort anmeldet, auch in der Konsole, braucht eine andere Adresse.',
  tenantDomainsByOthers:
    'Systemadministratoren fügen Domains hinzu und entfernen sie: Fragen Sie sie danach.',

  // Fields of the API
  'name.smtp_host': 'Server',
  'name.smtp_port': 'Port',
  'name.smtp_security': 'Verschlüsselung',
  'name.smtp_username': 'Benutzername',
  'name.smtp_password': 'Passwort',
  'name.from_address': 'Absender',
  'name.from_name': 'Name des Absenders',
  'name.reply_to': 'Antworten an',
};
