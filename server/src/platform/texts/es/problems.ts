import type { PROBLEMS as English } from '../en/problems.ts';
import type { Translated } from '../keys.ts';

export const PROBLEMS: Translated<typeof English> = {
  'problem.credentials': 'La cuenta o la contraseña no es correcta.',
  'problem.code': 'Este código es incorrecto o ya no es válido.',
  'problem.passkey':
    'No se ha aceptado esta llave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.',
  'problem.ended': 'Este inicio de sesión ha terminado. Empiece de nuevo.',
  'problem.elsewhere': 'Este inicio de sesión ha continuado en otro lugar. Empiece de nuevo.',
  'problem.busy': 'El servicio está ocupado. Inténtelo de nuevo dentro de un momento.',
  'problem.taken': 'Ya existe una cuenta con esta dirección. Inicie sesión en ella.',
  'problem.link_elsewhere':
    'Este enlace pertenece a otro inicio de sesión. Introduzca allí el código de su mensaje.',
  'problem.provider':
    'No se ha confirmado el inicio de sesión allí. Inténtelo de nuevo o inicie sesión de otra forma.',
  'problem.provider_declined':
    'No ha iniciado sesión allí. Inténtelo de nuevo o inicie sesión de otra forma.',
  'problem.provider_unknown': 'Esa cuenta no sirve para iniciar sesión aquí.',
  'problem.destination': 'No se envían mensajes a este número. Inicie sesión de otra forma.',
  'problem.attempts': 'Ha habido demasiados intentos.',
  'problem.messages': 'Ha habido demasiados mensajes.',
  'problem.incomplete': 'El formulario está incompleto.',
  'problem.typed': 'Revise lo que ha escrito: {problem}.',
  'problem.wait':
    '{problem} Inténtelo de nuevo {minutes, plural, one {dentro de un minuto} many {dentro de # minutos} other {dentro de # minutos}}.',
};
