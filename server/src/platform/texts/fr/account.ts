import type { ACCOUNT as English } from '../en/account.ts';
import type { Translated } from '../keys.ts';

export const ACCOUNT: Translated<typeof English> = {
  'account.title': 'Votre compte',
  'account.nav': 'Compte',
  'account.section.overview': 'Vue d’ensemble',
  'account.section.addresses': 'Adresses',
  'account.section.security': 'Moyens de connexion',
  'account.section.sessions': 'Sessions',
  'account.section.apps': 'Applications connectées',
  'account.section.agents': 'Agents qui agissent pour moi',

  'account.done.address_added': 'Ajoutée. Vous pouvez désormais vous connecter avec cette adresse.',
  'account.done.address_removed': 'Supprimée. Plus personne ne se connecte avec cette adresse.',
  'account.done.password_changed':
    'Votre mot de passe a été modifié. Vos autres sessions ont pris fin.',
  'account.done.factor_added': 'Ajouté.',
  'account.done.factor_removed': 'Supprimé.',
  'account.done.factor_renamed': 'Renommé.',
  'account.done.session_ended': 'Terminée. Il faudra se reconnecter sur cet appareil.',
  'account.done.sessions_ended':
    'Terminées. Il faudra se reconnecter sur tous les autres appareils.',
  'account.done.app_ended': 'Terminé. L’application ne peut plus utiliser votre compte.',
  'account.done.agent_ended': 'Terminé. L’agent ne peut plus agir pour vous.',

  'account.back': 'Retour',
  'account.confirm': 'Confirmer votre identité',
  'account.confirm_addresses': 'Pour modifier vos adresses, confirmez votre identité.',
  'account.confirm_security':
    'Pour ajouter ou supprimer un moyen de connexion, confirmez votre identité.',
  'account.remove': 'Supprimer {name}',

  'overview.you': 'Vous',
  'overview.not_verified': '{address} (non vérifiée)',
  'overview.protection': 'Protection',
  'overview.by_passkey': 'Une clé d’accès protège votre compte.',
  'overview.by_second_factor': 'Un second facteur protège votre compte.',
  'overview.by_first_factor':
    'Un seul facteur protège votre compte. Ajoutez une clé d’accès ou une application d’authentification.',
  'overview.logins': 'Connexions',
  'overview.since':
    'Vous vous êtes connecté ici le {time}. <link>Sessions</link> ouvertes : {count}.',

  'addresses.verified': 'Vérifiée',
  'addresses.not_verified': 'Non vérifiée',
  'addresses.only': 'La seule : elle reste.',
  'addresses.none': 'Il n’y a aucune adresse.',
  'addresses.add': 'Ajouter une adresse',
  'addresses.verify': 'Vérifier',
  'addresses.sent': 'Un code est en route vers {address}. Il est valable 10 minutes.',
  'addresses.confirm': 'Confirmer l’adresse',

  'security.passkeys': 'Clés d’accès',
  'security.no_passkey':
    'Il n’y a aucune clé d’accès. C’est le moyen le plus sûr de se connecter, et sans rien saisir.',
  'security.passkey_lead':
    'Votre navigateur ou votre appareil vous demande de créer une clé d’accès.',
  'security.apps': 'Applications d’authentification',
  'security.no_app': 'Il n’y a aucune application d’authentification.',
  'security.codes': 'Codes de récupération',
  'security.codes_text':
    'Chacun vous laisse entrer une fois si vous perdez les autres moyens. Les nouveaux remplacent les anciens.',
  'security.codes_lead':
    'Chacun vous laisse entrer une fois si vous perdez vos autres moyens. Ils ne sont affichés que maintenant : conservez-les en lieu sûr.',
  'security.new_codes': 'Créer de nouveaux codes de récupération',
  'security.password': 'Mot de passe',
  'security.current_password': 'Mot de passe actuel',
  'security.change_password': 'Modifier le mot de passe',
  'security.rename': 'Renommer',
  'security.save_name': 'Enregistrer le nom',
  'security.name': 'Nom',
  'security.used': 'Ajout : {added}, dernière utilisation : {used}',
  'security.never_used': 'Ajout : {added}, jamais utilisé',
  'security.synced': 'Conservée sur plusieurs de vos appareils',

  'sessions.this': 'Ce navigateur',
  'sessions.unknown': 'Un autre navigateur',
  'sessions.from': 'Depuis {address}, ouverte le {time}',
  'sessions.by_app': 'Ouverte par une application',
  'sessions.end': 'Terminer cette session',
  'sessions.none': 'Il n’y a aucune session.',
  'sessions.end_others': 'Terminer toutes les autres sessions',

  'apps.since': 'Depuis le {time}',
  'apps.end': 'Mettre fin à l’accès de {app}',
  'apps.none': 'Aucune application n’utilise votre compte.',
  'agents.may': 'Peut : {scopes}',
  'agents.period': 'Du {since} au {until}',
  'agents.end': 'Mettre fin',
  'agents.recorded': 'Ce qu’un agent fait pour vous est enregistré à votre nom et au sien.',
  'agents.none': 'Aucun agent n’agit pour vous.',

  'account.problem.current_password': 'Le mot de passe actuel est incorrect.',
  'account.problem.taken': 'Cette adresse ne peut pas être ajoutée.',
  'account.problem.last_address': 'La dernière adresse et la dernière adresse vérifiée restent.',
  'account.problem.last_factor':
    'C’est le seul moyen de connexion assez sûr. Ajoutez-en d’abord un autre.',
  'account.problem.no_factor':
    'Ajoutez d’abord une clé d’accès ou une application d’authentification.',
  'account.problem.passkey': 'Cette clé d’accès n’a pas été acceptée. Réessayez.',
  'account.problem.too_many_factors': 'Il y en a trop. Supprimez-en d’abord un.',
  'account.problem.attempts': 'Il y a eu trop de tentatives. Réessayez plus tard.',
  'account.problem.messages': 'Il y a eu trop de messages. Réessayez plus tard.',
  'account.problem.not_ready': 'Cela n’est pas configuré ici.',
  'account.problem.destination': 'Aucun message n’est envoyé à ce numéro.',
  'account.problem.gone': 'L’élément a déjà été supprimé.',
};
