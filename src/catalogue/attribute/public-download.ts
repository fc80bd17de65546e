/** How the public service hands out its table of attributes: to a profile, and as a zip (contract section 1). */
import { DomainError } from '../../errors.ts';
import type { Answer } from '../../http/operation.ts';
import { shown } from '../../validation/shown.ts';

/** As the public service does: to the profile that anybody has. Throws 406 where no zip is admitted. */
export function sentOn({ url, headers }: Request): Answer | undefined {
  const { pathname, searchParams } = new URL(url);
  if ((searchParams.get('perfil') ?? '') === '') {
    searchParams.set('perfil', 'PUBLICO');
    return { status: 307, headers: { Location: `${pathname}?${searchParams}` } };
  }
  const accept = headers.get('accept')?.trim() ?? '';
  if (accept !== '' && !accept.split(',').some(admitsZip))
    throw new DomainError(
      'notAcceptable',
      `Accept: recebido ${shown(accept)}; a tabela é um zip. Envie Accept: application/zip, ou nenhum.`,
    );
  return undefined;
}

/** `q=0` says that it is not wanted. */
function admitsZip(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return (
    ['*/*', 'application/*', 'application/zip'].includes(type) &&
    !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))
  );
}
