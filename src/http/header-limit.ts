/** Limits the length of a request line with its headers (contract section 3). */
import { estimateShallowMemoryUsageOf } from 'bun:jsc';
import { DomainError } from '../errors.ts';

const KIB = 1024;

/** Enough for both text filters at their full size, percent-encoded: 2 × 3700 × 6 bytes and the tokens. */
const HEADER_MAX_BYTES = 64 * KIB;

/** Bun's server answers without a body above its own limit, so that limit is far above ours. */
export const RUNTIME_HEADER_MAX_BYTES = 1024 * KIB;

/** The option that sets the limit. The build passes it to the executable. */
export const RUNTIME_HEADER_OPTION = '--max-http-header-size';

/**
 * Bytes around the texts of a request line and a header: ` ` ` HTTP/1.1\r\n`, `: ` `\r\n`; and the empty line
 * at the end.
 */
const LINE_FRAME = 12;
const FIELD_FRAME = 4;
const END_FRAME = 2;

/**
 * The limit is out of reach below this memory of address and headers: a text takes at least a byte for each
 * character, so that only names which the runtime knows are not included.
 */
const CERTAINLY_SHORT_BYTES = HEADER_MAX_BYTES / 2;

/** Throws 431 over the limit. Counts the headers as sent, except what Bun has already joined or removed. */
export function refuseLongHeaders({ method, url, headers }: Request): void {
  // Counting reads every header, which takes a tenth of a GET.
  if (url.length + estimateShallowMemoryUsageOf(headers) < CERTAINLY_SHORT_BYTES) return;
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
