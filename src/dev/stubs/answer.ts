/**
 * Answers with a file: its unchanged bytes, the status of its name and the headers of the file next to it.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DomainError, notFound } from '../../errors.ts';
import { JSON_TYPE } from '../../http/answers.ts';
import type { Answer } from '../../http/operation.ts';
import { oneLine, reasonOf, systemCode } from '../../system/errors.ts';
import { tryParseJson } from '../../validation/json.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { Stub } from './folder.ts';

/** The maximum size, equal to the maximum of a request body, because the file is held in memory. */
export const STUB_MAX_BYTES = 10 * 1024 * 1024;

/** Statuses without a body and without Content-Type. */
const BODILESS: readonly number[] = [204, 205, 304];

/**
 * Headers that only the server sets. Another value would break the connection or affect the session of catp's
 * pages, which have the same origin.
 */
const SERVER_HEADER = new RegExp(
  `^(?:${[
    ...['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'upgrade', 'trailer'],
    ...['set-token', 'x-csrf-token', 'x-csrf-expiration', 'set-cookie2?', 'clear-site-data'],
    ...['content-security-policy(?:-report-only)?', 'service-worker-allowed', 'strict-transport-security'],
    'access-control-.*',
  ].join('|')})$`,
);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u00a0-\u00ff]*$/;

/** Reads the answer. Throws 404 if the file no longer exists, 503 with the reason if it cannot be sent. */
export async function answerOf({ file, headersFile, status = 200, path }: Stub): Promise<Answer> {
  const headers = headersFile === undefined ? {} : headersIn(await bytesOf(headersFile, path), headersFile);
  if (BODILESS.includes(status)) return { status, headers };
  const content = await bytesOf(file, path);
  return { status, content, headers: { 'content-type': JSON_TYPE, ...headers } };
}

async function bytesOf(file: string, path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { size } = await stat(file);
    if (size > STUB_MAX_BYTES)
      throw unusable(file, `tem ${size} bytes; o limite é de ${STUB_MAX_BYTES} (10 MiB)`);
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      throw notFound(`O arquivo que respondia por ${formatValue(path)} não está mais lá.`);
    if (systemCode(error) === undefined) throw error;
    throw unusable(file, `não pode ser lido (${reasonOf(error)})`);
  }
}

/** Parses the headers. Names become lower case, so that none occurs twice. */
function headersIn(bytes: Uint8Array, file: string): Record<string, string> {
  const value = tryParseJson(new TextDecoder().decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusable(file, 'não é um objeto JSON; aceita {"Nome": "valor"}');
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) throw unusable(file, `${formatValue(name)} não é nome de cabeçalho`);
    if (SERVER_HEADER.test(lower))
      throw unusable(file, `${formatValue(name)} é do próprio servidor; retire-o`);
    if (!['string', 'number'].includes(typeof text) || !HEADER_VALUE.test(String(text)))
      throw unusable(file, `${name}: aceita um texto de uma linha, sem letras fora do Latin-1, ou um número`);
    headers[lower] = String(text);
  }
  return headers;
}

const unusable = (file: string, why: string): DomainError =>
  new DomainError('unavailable', oneLine(`O arquivo ${basename(file)} da pasta de --stubs ${why}.`));
