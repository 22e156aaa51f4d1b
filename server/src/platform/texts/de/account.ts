import type { ACCOUNT as English } from '../en/account.ts';
import type { Translated } from '../keys.ts';

export const ACCOUNT: Translated<typeof English> = {
  'account.title': 'Ihr Konto',
  'account.nav': 'Konto',
  'account.section.overview': 'Übersicht',
  'account.section.addresses': 'Adressen',
  'account.section.security': 'Anmeldearten',
  'account.section.sessions': 'Sitzungen',
  'account.section.apps': 'Verbundene Apps',
  'account.section.agents': 'Agenten, die für mich handeln',

  'account.done.address_added':
    'Hinzugefügt. Sie können sich ab jetzt mit dieser Adresse anmelden.',
  'account.done.address_removed': 'Entfernt. Mit dieser Adresse meldet sich niemand mehr an.',
  'account.done.password_changed':
    'Ihr Passwort ist geändert. Ihre anderen Sitzungen sind beendet.',
  'account.done.factor_added': 'Hinzugefügt.',
  'account.done.factor_removed': 'Entfernt.',
  'account.done.factor_renamed': 'Umbenannt.',
  'account.done.session_ended': 'Beendet. Auf diesem Gerät ist eine neue Anmeldung nötig.',
  'account.done.sessions_ended':
    'Beendet. Auf allen anderen Geräten ist eine neue Anmeldung nötig.',
  'account.done.app_ended': 'Beendet. Die App kann Ihr Konto nicht mehr verwenden.',
  'account.done.agent_ended': 'Beendet. Der Agent kann nicht mehr für Sie handeln.',

  'account.back': 'Zurück',
  'account.confirm': 'Bestätigen Sie, dass Sie es sind',
  'account.confirm_addresses': 'Um Ihre Adressen zu ändern, bestätigen Sie, dass Sie es sind.',
  'account.confirm_security':
    'Um eine Anmeldeart hinzuzufügen oder zu entfernen, bestätigen Sie, dass Sie es sind.',
  'account.remove': '{name} entfernen',

  'overview.you': 'Sie',
  'overview.not_verified': '{address} (nicht bestätigt)',
  'overview.protection': 'Schutz',
  'overview.by_passkey': 'Ein Passkey schützt Ihr Konto.',
  'overview.by_second_factor': 'Ein zweiter Faktor schützt Ihr Konto.',
  'overview.by_first_factor':
    'Nur ein erster Faktor schützt Ihr Konto. Fügen Sie einen Passkey oder eine Authenticator-App hinzu.',
  'overview.logins': 'Anmeldungen',
  'overview.since':
    'Sie haben sich hier am {time} angemeldet. Offene <link>Sitzungen</link>: {count}.',

  'addresses.verified': 'Bestätigt',
  'addresses.not_verified': 'Nicht bestätigt',
  'addresses.only': 'Die einzige: Sie bleibt.',
  'addresses.none': 'Es gibt keine Adresse.',
  'addresses.add': 'Adresse hinzufügen',
  'addresses.verify': 'Bestätigen',
  'addresses.sent': 'Ein Code ist an {address} unterwegs. Er ist 10 Minuten gültig.',
  'addresses.confirm': 'Adresse bestätigen',

  'security.passkeys': 'Passkeys',
  'security.no_passkey':
    'Es gibt keinen Passkey. Mit einem Passkey melden Sie sich am sichersten an, ohne etwas einzugeben.',
  'security.passkey_lead': 'Ihr Browser oder Gerät fordert Sie auf, einen Passkey zu erstellen.',
  'security.apps': 'Authenticator-Apps',
  'security.no_app': 'Es gibt keine Authenticator-App.',
  'security.codes': 'Wiederherstellungscodes',
  'security.codes_text':
    'Jeder lässt Sie einmal hinein, wenn Sie die anderen Anmeldearten verlieren. Neue ersetzen die alten.',
  'security.codes_lead':
    'Jeder lässt Sie einmal hinein, wenn Sie Ihre anderen Anmeldearten verlieren. Sie werden nur jetzt angezeigt: Bewahren Sie sie sicher auf.',
  'security.new_codes': 'Neue Wiederherstellungscodes erstellen',
  'security.password': 'Passwort',
  'security.current_password': 'Aktuelles Passwort',
  'security.change_password': 'Passwort ändern',
  'security.rename': 'Umbenennen',
  'security.save_name': 'Namen speichern',
  'security.name': 'Name',
  'security.used': 'Hinzugefügt: {added}, zuletzt verwendet: {used}',
  'security.never_used': 'Hinzugefügt: {added}, nie verwendet',
  'security.synced': 'Auf mehreren Ihrer Geräte vorhanden',

  'sessions.this': 'Dieser Browser',
  'sessions.unknown': 'Ein anderer Browser',
  'sessions.from': 'Von {address}, seit {time}',
  'sessions.by_app': 'Von einer App geöffnet',
  'sessions.end': 'Diese Sitzung beenden',
  'sessions.none': 'Es gibt keine Sitzung.',
  'sessions.end_others': 'Alle anderen Sitzungen beenden',

  'apps.since': 'Seit {time}',
  'apps.end': 'Zugriff von {app} beenden',
  'apps.none': 'Keine App verwendet Ihr Konto.',
  'agents.may': 'Darf: {scopes}',
  'agents.period': 'Seit {since}, bis {until}',
  'agents.end': 'Beenden',
  'agents.recorded': 'Was ein Agent für Sie tut, wird in Ihrem und in seinem Namen aufgezeichnet.',
  'agents.none': 'Kein Agent handelt für Sie.',

  'account.problem.current_password': 'Das aktuelle Passwort ist falsch.',
  'account.problem.taken': 'Diese Adresse kann nicht hinzugefügt werden.',
  'account.problem.last_address': 'Die letzte Adresse und die letzte bestätigte bleiben.',
  'account.problem.last_factor':
    'Dies ist die einzige Anmeldeart, die sicher genug ist. Fügen Sie zuerst eine andere hinzu.',
  'account.problem.no_factor': 'Fügen Sie zuerst einen Passkey oder eine Authenticator-App hinzu.',
  'account.problem.passkey': 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es erneut.',
  'account.problem.too_many_factors': 'Es sind zu viele. Entfernen Sie zuerst einen.',
  'account.problem.attempts': 'Es gab zu viele Versuche. Versuchen Sie es später wieder.',
  'account.problem.messages': 'Es gab zu viele Nachrichten. Versuchen Sie es später wieder.',
  'account.problem.not_ready': 'Das ist hier nicht eingerichtet.',
  'account.problem.destination': 'An diese Nummer werden keine Nachrichten gesendet.',
  'account.problem.gone': 'Es ist bereits entfernt.',
};
