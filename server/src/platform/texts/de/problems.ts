import type { PROBLEMS as English } from '../en/problems.ts';
import type { Translated } from '../keys.ts';

export const PROBLEMS: Translated<typeof English> = {
  'problem.credentials': 'Das Konto oder das Passwort ist falsch.',
  'problem.code': 'Dieser Code ist falsch oder nicht mehr gültig.',
  'problem.passkey':
    'Dieser Passkey wurde nicht angenommen. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  'problem.ended': 'Diese Anmeldung ist beendet. Beginnen Sie von vorn.',
  'problem.elsewhere':
    'Diese Anmeldung wurde an anderer Stelle fortgesetzt. Beginnen Sie von vorn.',
  'problem.busy': 'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  'problem.taken': 'Es gibt bereits ein Konto mit dieser Adresse. Melden Sie sich stattdessen an.',
  'problem.link_elsewhere':
    'Dieser Link gehört zu einer anderen Anmeldung. Geben Sie dort den Code aus der Nachricht ein.',
  'problem.provider':
    'Die Anmeldung dort wurde nicht bestätigt. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  'problem.provider_declined':
    'Sie haben sich dort nicht angemeldet. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  'problem.provider_unknown': 'Mit dem Konto dort können Sie sich hier nicht anmelden.',
  'problem.destination':
    'An diese Nummer werden keine Nachrichten gesendet. Melden Sie sich anders an.',
  'problem.attempts': 'Es gab zu viele Versuche.',
  'problem.messages': 'Es gab zu viele Nachrichten.',
  'problem.incomplete': 'Das Formular ist unvollständig.',
  'problem.typed': 'Prüfen Sie Ihre Eingabe: {problem}.',
  'typed.address': 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer wie {example} ein.',
  'typed.own_address': 'Geben Sie eine Ihrer eigenen Adressen ein.',
  'typed.too_long': 'Verwenden Sie höchstens {count} Zeichen.',
  'typed.too_short': 'Verwenden Sie mindestens {count} Zeichen.',
  'typed.special': 'Verwenden Sie auch ein Zeichen, das weder Buchstabe noch Ziffer ist.',
  'typed.name': 'Das ist kaum mehr als Ihr Name oder unserer. Wählen Sie etwas anderes.',
  'typed.common': 'Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.',
  'typed.breached':
    'Dieses Passwort ist aus einem Datenleck eines anderen Dienstes bekannt. Wählen Sie ein anderes.',
  'problem.wait':
    '{problem} Versuchen Sie es {minutes, plural, one {in einer Minute} other {in # Minuten}} wieder.',
};
