/** RFC 6901 pointers into a body, as refusals contain them (contract section 3). */

/** Returns true for a pointer to a member or item; false for the whole body and for the name of a parameter. */
export const isPointer = (path: string): boolean => path.startsWith('/');

/** Escapes one step of a pointer. */
export const escaped = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

/**
 * Returns the member of the record into which a pointer leads: `atributos` for `/atributos/2/valor` and for
 * `/7/atributos/2/valor`.
 */
export function memberOf(pointer: string): string | null {
  const [first, second] = pointer.split('/', 3).slice(1);
  const step = second !== undefined && /^\d+$/.test(first ?? '') ? second : first;
  return step === undefined ? null : unescaped(step);
}

/** Returns the member at which a pointer ends. */
export const lastOf = (pointer: string): string => unescaped(pointer.slice(pointer.lastIndexOf('/') + 1));

/**
 * Returns the member at which a pointer ends, or that holds its last item: `codigosInterno` for
 * `/codigosInterno/1`.
 */
export function lastMemberOf(pointer: string): string {
  const steps = pointer.split('/');
  while (/^\d+$/.test(steps.at(-1) ?? '')) steps.pop();
  return lastOf(steps.join('/'));
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** Prints a pointer as people write it: `atributos[0].valor` for `/atributos/0/valor`, '' for the whole. */
export const placeText = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : `${index === 0 ? '' : '.'}${unescaped(step)}`))
    .join('');
