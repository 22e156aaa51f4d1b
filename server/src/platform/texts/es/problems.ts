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
  'typed.address': 'Escriba una dirección de correo o un número de teléfono como {example}.',
  'typed.own_address': 'Escriba una de sus propias direcciones.',
  'typed.too_long': 'Use como máximo {count} caracteres.',
  'typed.too_short': 'Use al menos {count} caracteres.',
  'typed.special': 'Use también un carácter que no sea ni letra ni cifra.',
  'typed.name': 'Es poco más que su nombre, o el nuestro. Elija otra cosa.',
  'typed.common': 'Es una de las contraseñas más comunes. Elija otra.',
  'typed.breached': 'Esta contraseña se conoce por una filtración de otro servicio. Elija otra.',
  'problem.wait':
    '{problem} Inténtelo de nuevo {minutes, plural, one {dentro de un minuto} many {dentro de # minutos} other {dentro de # minutos}}.',
};
