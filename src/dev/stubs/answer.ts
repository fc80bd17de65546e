/** A file as an answer: its bytes as they are, with the status that its name says and the headers beside it. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DomainError, notFound } from '../../errors.ts';
import { JSON_TYPE } from '../../http/answers.ts';
import type { Answer } from '../../http/operation.ts';
import { oneLine, reasonOf, systemCode } from '../../system/errors.ts';
import { jsonIn } from '../../validation/json.ts';
import { shown } from '../../validation/shown.ts';
import type { Stub } from './folder.ts';

/** As much as the body of a request may have: what is read is held in memory. */
export const STUB_MAX_BYTES = 10 * 1024 * 1024;

/** They have no body, and say no type of one. */
const BODILESS: readonly number[] = [204, 205, 304];

/**
 * What the server itself says of each answer: another word for it would break the connection, or reach the session of our
 * pages, which are of the same origin.
 */
const OF_THE_SERVER = new RegExp(
  `^(?:${[
    ...['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'upgrade', 'trailer'],
    ...['set-token', 'x-csrf-token', 'x-csrf-expiration', 'set-cookie2?', 'clear-site-data'],
    ...['content-security-policy(?:-report-only)?', 'service-worker-allowed', 'strict-transport-security'],
    'access-control-.*',
  ].join('|')})$`,
);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u00a0-\u00ff]*$/;

/** Throws 404 where it has gone meanwhile, 503 with the reason where it cannot be sent. */
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
      throw notFound(`O arquivo que respondia por ${shown(path)} não está mais lá.`);
    if (systemCode(error) === undefined) throw error;
    throw unusable(file, `não pode ser lido (${reasonOf(error)})`);
  }
}

/** In small letters, so that each is said once. */
function headersIn(bytes: Uint8Array, file: string): Record<string, string> {
  const value = jsonIn(new TextDecoder().decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusable(file, 'não é um objeto JSON; aceita {"Nome": "valor"}');
  const said: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) throw unusable(file, `${shown(name)} não é nome de cabeçalho`);
    if (OF_THE_SERVER.test(lower)) throw unusable(file, `${shown(name)} é do próprio servidor; retire-o`);
    if (!['string', 'number'].includes(typeof text) || !HEADER_VALUE.test(String(text)))
      throw unusable(file, `${name}: aceita um texto de uma linha, sem letras fora do Latin-1, ou um número`);
    said[lower] = String(text);
  }
  return said;
}

const unusable = (file: string, why: string): DomainError =>
  new DomainError('unavailable', oneLine(`O arquivo ${basename(file)} da pasta de --stubs ${why}.`));
