import type { DEVICE as English } from '../en/device.ts';
import type { Translated } from '../keys.ts';

export const DEVICE: Translated<typeof English> = {
  'device.title': 'Connecter un appareil',
  'device.lead': 'Saisissez le code affiché par l’appareil.',
  'device.lead_given':
    'Comparez ce code avec celui que votre appareil affiche. Ne continuez que si vous avez cet appareil devant vous.',
  'device.code': 'Code de l’appareil',
  'device.continue': 'Continuer',
  'device.warning':
    'Si quelqu’un vous a envoyé ce code, fermez cette page : cette personne serait connectée à votre place.',
  'device.wrong':
    'Aucun appareil n’attend avec ce code. Il a peut-être expiré : recommencez sur l’appareil.',
  'device.asks': 'Un appareil fait cette demande',
  'device.shows': 'Il affiche le code <b>{code}</b>.',
  'device.begun':
    'Sa demande a été faite {minutes, plural, =0 {à l’instant} one {il y a # minute} many {il y a # minutes} other {il y a # minutes}} depuis l’adresse <b>{address}</b>.',
  'device.check':
    'N’autorisez que si vous avez commencé vous-même, sur un appareil que vous avez devant vous.',
  'device.done_title': 'L’appareil est connecté',
  'device.done': 'Vous y serez connecté dans quelques secondes. Vous pouvez fermer cette page.',
  'device.denied_title': 'L’appareil n’est pas connecté',
  'device.denied': 'Rien n’a été autorisé. Vous pouvez fermer cette page.',
  'device.over_title': 'Ce code ne peut plus être utilisé',
  'device.over': 'Il a expiré, ou une décision a déjà été prise. Recommencez sur l’appareil.',
  'device.refused': 'Ce compte ne peut pas autoriser ce que l’appareil demande.',
};
