/**
 * Serves the attribute table as the public service does: for a profile, and as a zip (contract section 1).
 */
import { DomainError } from '../../errors.ts';
import type { Answer } from '../../http/operation.ts';
import { formatValue } from '../../validation/format-value.ts';

/**
 * Redirects a request without a profile to the public one, as the public service does. Throws 406 when the
 * client accepts no zip.
 */
export function redirectToPublicProfile({ url, headers }: Request): Answer | undefined {
  const { pathname, searchParams } = new URL(url);
  if ((searchParams.get('perfil') ?? '') === '') {
    searchParams.set('perfil', 'PUBLICO');
    return { status: 307, headers: { Location: `${pathname}?${searchParams}` } };
  }
  const accept = headers.get('accept')?.trim() ?? '';
  if (accept !== '' && !accept.split(',').some(admitsZip))
    throw new DomainError(
      'notAcceptable',
      `Accept: recebido ${formatValue(accept)}; a tabela é um zip. Envie Accept: application/zip, ou nenhum.`,
    );
  return undefined;
}

/** `q=0` excludes a type. */
function admitsZip(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return (
    ['*/*', 'application/*', 'application/zip'].includes(type) &&
    !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))
  );
}
