/** How long a request line and its headers may be together (contract section 3). */
import { DomainError } from '../errors.ts';

const KIB = 1024;

/** Room for both text filters at their full size, percent-encoded: 2 × 3700 × 6 bytes and the tokens. */
const HEADER_MAX_BYTES = 64 * KIB;

/** Over its own limit Bun's server answers without a body, so that one lies far above ours. */
export const RUNTIME_HEADER_MAX_BYTES = 1024 * KIB;

/** The option that sets it: given by the build to the executable. */
export const RUNTIME_HEADER_OPTION = '--max-http-header-size';

/** What a request line and a header have around their texts: ` ` ` HTTP/1.1\r\n`, `: ` `\r\n`; and the empty line at last. */
const LINE_FRAME = 12;
const FIELD_FRAME = 4;
const END_FRAME = 2;

/** Throws 431 over the limit. Counted as sent, but for what Bun has already joined or left out. */
export function refuseLongHeaders({ method, url, headers }: Request): void {
  const target = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + '://'.length);
  let bytes = method.length + url.length - Math.max(target, 0) + LINE_FRAME + END_FRAME;
  headers.forEach((value, name) => {
    bytes += name.length + value.length + FIELD_FRAME;
  });
  if (bytes <= HEADER_MAX_BYTES) return;
  throw new DomainError(
    'headersTooLarge',
    `A linha da requisição e os cabeçalhos somam ${bytes} bytes; aceita até ${HEADER_MAX_BYTES} bytes. Encurte os filtros da consulta ou os cabeçalhos.`,
  );
}
