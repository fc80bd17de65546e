/** RFC 6901 pointers into a body, as refusals carry them (contract section 3). */

/** One step of a pointer. */
export const escaped = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

/** The member of the record that a pointer leads into: `atributos` of `/atributos/2/valor`, and of `/7/atributos/2/valor`. */
export function memberOf(pointer: string): string | null {
  const [first, second] = pointer.split('/', 3).slice(1);
  const step = second !== undefined && /^\d+$/.test(first ?? '') ? second : first;
  return step === undefined ? null : unescaped(step);
}

/** The member at which a pointer ends. */
export const lastOf = (pointer: string): string => unescaped(pointer.slice(pointer.lastIndexOf('/') + 1));

/** The member at which a pointer ends, or that holds the item at which it ends: `codigosInterno` of `/codigosInterno/1`. */
export const lastMemberOf = (pointer: string): string => lastOf(pointer.replace(/(?:\/\d+)+$/, ''));

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** A pointer as people write a place: `atributos[0].valor` of `/atributos/0/valor`; '' of the whole. */
export const placeText = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : `${index === 0 ? '' : '.'}${unescaped(step)}`))
    .join('');
