import type { PROBLEMS as English } from '../en/problems.ts';
import type { Translated } from '../keys.ts';

export const PROBLEMS: Translated<typeof English> = {
  'problem.credentials': 'Le compte ou le mot de passe est incorrect.',
  'problem.code': 'Ce code est incorrect ou n’est plus valable.',
  'problem.passkey':
    'Cette clé d’accès n’a pas été acceptée. Réessayez, ou connectez-vous autrement.',
  'problem.ended': 'Cette connexion a pris fin. Recommencez.',
  'problem.elsewhere': 'Cette connexion s’est poursuivie ailleurs. Recommencez.',
  'problem.busy': 'Le service est occupé. Réessayez dans un instant.',
  'problem.taken': 'Il existe déjà un compte avec cette adresse. Connectez-vous plutôt.',
  'problem.link_elsewhere':
    'Ce lien appartient à une autre connexion. Saisissez-y le code de son message.',
  'problem.provider':
    'La connexion n’a pas été confirmée de ce côté. Réessayez, ou connectez-vous autrement.',
  'problem.provider_declined':
    'Vous ne vous y êtes pas connecté. Réessayez, ou connectez-vous autrement.',
  'problem.provider_unknown': 'Ce compte externe ne permet pas de se connecter ici.',
  'problem.destination': 'Aucun message n’est envoyé à ce numéro. Connectez-vous autrement.',
  'problem.attempts': 'Il y a eu trop de tentatives.',
  'problem.messages': 'Il y a eu trop de messages.',
  'problem.incomplete': 'Le formulaire est incomplet.',
  'problem.typed': 'Vérifiez votre saisie : {problem}.',
  'typed.address': 'Saisissez une adresse e-mail, ou un numéro de téléphone tel que {example}.',
  'typed.own_address': 'Saisissez l’une de vos propres adresses.',
  'typed.too_long': 'Utilisez au plus {count} caractères.',
  'typed.too_short': 'Utilisez au moins {count} caractères.',
  'typed.special': 'Utilisez aussi un caractère qui n’est ni une lettre ni un chiffre.',
  'typed.name': 'C’est à peine plus que votre nom, ou le nôtre. Choisissez autre chose.',
  'typed.common': 'C’est l’un des mots de passe les plus courants. Choisissez-en un autre.',
  'typed.breached':
    'Ce mot de passe provient d’une fuite de données d’un autre service. Choisissez-en un autre.',
  'problem.wait':
    '{problem} Réessayez {minutes, plural, one {dans une minute} many {dans # minutes} other {dans # minutes}}.',
};
